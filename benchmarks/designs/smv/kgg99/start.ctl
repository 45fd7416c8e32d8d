-- KGG99 section 4.4: the arbiter's specification without its initial part. The
-- comparison shows start states that it allows and the arbiter does not have.
AG (
    (!ack0 | !ack1) &
    (!req0 & !req1 -> AX (!ack0 & !ack1)) &
    (req0 & !req1 -> AX ack0) &
    (!req0 & req1 -> AX ack1) &
    (req1 & ack0 -> AX ack1) &
    (req0 & ack1 -> AX ack0) &
    (req0 & req1 & !ack0 & !ack1 -> AX (ack0 ->
       A [(!req0 | !req1 | ack0 | ack1) W
          (req0 & req1 & !ack0 & !ack1 & AX ack1)])) &
    (req0 & req1 & !ack0 & !ack1 -> AX (ack1 ->
       A [(!req0 | !req1 | ack0 | ack1) W
          (req0 & req1 & !ack0 & !ack1 & AX ack0)])));
