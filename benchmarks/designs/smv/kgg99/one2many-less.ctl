-- KGG99 section 6.4: the list of cases without the redundant one.
  !ack0 & !ack1 &
  A [(!req0 | !req1 | ack0 | ack1) W
     (req0 & req1 & !ack0 & !ack1 & AX ack0)] &
  AG (
    (!ack0 | !ack1) & (
      (!req0 & !req1 & AX (!ack0 & !ack1)) |
      (req0 & !req1 & AX ack0) |
      (!req0 & req1 & AX ack1) |
      (req0 & req1 & ack0 & AX ack1) |
      (req0 & req1 & ack1 & AX ack0) |
      (req0 & req1 & !ack0 & !ack1 & AX (
        (ack0 & A [(!req0 | !req1 | ack0 | ack1) W
                   (req0 & req1 & !ack0 & !ack1 & AX ack1)]) |
        (ack1 & A [(!req0 | !req1 | ack0 | ack1) W
                   (req0 & req1 & !ack0 & !ack1 & AX ack0)])))));
