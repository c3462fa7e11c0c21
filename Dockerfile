# The phone page in a container: docker compose up, or
#   docker build -t solvepic . && docker run --rm -p 8765:8765 solvepic --address MY-ADDRESS
FROM python:3.12-slim
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY solvers solvers
COPY vision vision
COPY overlay overlay
COPY solvepic solvepic
RUN pip install --no-cache-dir '.[web]' && useradd --no-create-home player
WORKDIR /
USER player
EXPOSE 8765
ENTRYPOINT ["solvepic", "serve", "--port", "8765"]
