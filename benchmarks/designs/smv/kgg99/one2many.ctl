-- KGG99 section 6.4: the arbiter's specification as a list of cases. The sixth one
-- is redundant, and the comparison shows a state that two cases describe. (The
-- paper's third case also demands ack1 now; the arbiter does not satisfy that.)
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
      (req1 & ack1 & AX (ack0 & !ack1)) |
      (req0 & req1 & !ack0 & !ack1 & AX (
        (ack0 & A [(!req0 | !req1 | ack0 | ack1) W
                   (req0 & req1 & !ack0 & !ack1 & AX ack1)]) |
        (ack1 & A [(!req0 | !req1 | ack0 | ack1) W
                   (req0 & req1 & !ack0 & !ack1 & AX ack0)])))));
