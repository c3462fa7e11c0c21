"""What Stitch boards carry: ink and badges in cells, threads of bent boards, and the repair of misread clues."""
