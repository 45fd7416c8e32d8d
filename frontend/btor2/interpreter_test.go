package btor2

import (
	"math/big"
)

// apply is the naive twin of the circuits: one operator on numbers, written
// from the SMT-LIB definitions with math/big. Values are unsigned; w is the
// width of the first argument (of ite: of the second).
func apply(op string, w int, a []*big.Int, nums [2]int, widths []int) *big.Int {
	mod := new(big.Int).Lsh(big.NewInt(1), uint(w))
	wrap := func(x *big.Int) *big.Int { return new(big.Int).Mod(x, mod) } // Euclidean: never negative
	signedOf := func(x *big.Int, w int) *big.Int {
		if x.Bit(w-1) == 1 {
			return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
		}
		return x
	}
	signed := func(i int) *big.Int { return signedOf(a[i], w) }
	flag := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return big.NewInt(0)
	}
	ones := new(big.Int).Sub(mod, big.NewInt(1))
	not := func(x *big.Int) *big.Int { return new(big.Int).Xor(x, ones) }
	z := new(big.Int)
	outside := func(x *big.Int) bool { // of the signed range
		half := new(big.Int).Rsh(mod, 1)
		return x.Cmp(half) >= 0 || x.Cmp(new(big.Int).Neg(half)) < 0
	}
	amount := func() uint { // of a shift, at most w
		if a[1].Cmp(big.NewInt(int64(w))) >= 0 {
			return uint(w)
		}
		return uint(a[1].Int64())
	}
	rotate := func(by int) *big.Int {
		by = ((by % w) + w) % w
		left := new(big.Int).Lsh(a[0], uint(by))
		return wrap(left.Or(left, new(big.Int).Rsh(a[0], uint(w-by))))
	}
	turn := func() int { return int(new(big.Int).Mod(a[1], big.NewInt(int64(w))).Int64()) }
	switch op {
	case "not":
		return not(a[0])
	case "inc":
		return wrap(z.Add(a[0], big.NewInt(1)))
	case "dec":
		return wrap(z.Sub(a[0], big.NewInt(1)))
	case "neg":
		return wrap(z.Neg(a[0]))
	case "redand":
		return flag(a[0].Cmp(ones) == 0)
	case "redor":
		return flag(a[0].Sign() != 0)
	case "redxor":
		n := uint(0)
		for i := range w {
			n += a[0].Bit(i)
		}
		return big.NewInt(int64(n % 2))
	case "iff", "eq":
		return flag(a[0].Cmp(a[1]) == 0)
	case "neq":
		return flag(a[0].Cmp(a[1]) != 0)
	case "implies":
		return flag(a[0].Sign() == 0 || a[1].Sign() != 0)
	case "ult":
		return flag(a[0].Cmp(a[1]) < 0)
	case "ulte":
		return flag(a[0].Cmp(a[1]) <= 0)
	case "ugt":
		return flag(a[0].Cmp(a[1]) > 0)
	case "ugte":
		return flag(a[0].Cmp(a[1]) >= 0)
	case "slt":
		return flag(signed(0).Cmp(signed(1)) < 0)
	case "slte":
		return flag(signed(0).Cmp(signed(1)) <= 0)
	case "sgt":
		return flag(signed(0).Cmp(signed(1)) > 0)
	case "sgte":
		return flag(signed(0).Cmp(signed(1)) >= 0)
	case "and":
		return z.And(a[0], a[1])
	case "nand":
		return not(z.And(a[0], a[1]))
	case "or":
		return z.Or(a[0], a[1])
	case "nor":
		return not(z.Or(a[0], a[1]))
	case "xor":
		return z.Xor(a[0], a[1])
	case "xnor":
		return not(z.Xor(a[0], a[1]))
	case "sll":
		return wrap(z.Lsh(a[0], amount()))
	case "srl":
		return z.Rsh(a[0], amount())
	case "sra":
		return wrap(z.Rsh(signed(0), amount())) // floor
	case "rol":
		return rotate(turn())
	case "ror":
		return rotate(-turn())
	case "add":
		return wrap(z.Add(a[0], a[1]))
	case "sub":
		return wrap(z.Sub(a[0], a[1]))
	case "mul":
		return wrap(z.Mul(a[0], a[1]))
	case "udiv":
		if a[1].Sign() == 0 {
			return ones
		}
		return z.Quo(a[0], a[1])
	case "urem":
		if a[1].Sign() == 0 {
			return a[0]
		}
		return z.Rem(a[0], a[1])
	case "sdiv":
		if a[1].Sign() == 0 {
			if signed(0).Sign() < 0 {
				return big.NewInt(1)
			}
			return ones
		}
		return wrap(z.Quo(signed(0), signed(1))) // towards 0
	case "srem":
		if a[1].Sign() == 0 {
			return a[0]
		}
		return wrap(z.Rem(signed(0), signed(1)))
	case "smod":
		if a[1].Sign() == 0 {
			return a[0]
		}
		r := z.Rem(signed(0), signed(1))
		if r.Sign() != 0 && r.Sign() != signed(1).Sign() {
			r.Add(r, signed(1))
		}
		return wrap(r)
	case "uaddo":
		return flag(z.Add(a[0], a[1]).Cmp(mod) >= 0)
	case "saddo":
		return flag(outside(z.Add(signed(0), signed(1))))
	case "usubo":
		return flag(z.Sub(a[0], a[1]).Sign() < 0)
	case "ssubo":
		return flag(outside(z.Sub(signed(0), signed(1))))
	case "umulo":
		return flag(z.Mul(a[0], a[1]).Cmp(mod) >= 0)
	case "smulo":
		return flag(outside(z.Mul(signed(0), signed(1))))
	case "sdivo":
		return flag(a[1].Sign() != 0 && outside(z.Quo(signed(0), signed(1))))
	case "concat":
		return z.Or(new(big.Int).Lsh(a[0], uint(widths[1])), a[1])
	case "ite":
		if a[0].Sign() != 0 {
			return a[1]
		}
		return a[2]
	case "read":
		element := uint(w >> widths[1])
		z.Rsh(a[0], uint(a[1].Uint64())*element)
		return z.Mod(z, new(big.Int).Lsh(big.NewInt(1), element))
	case "write":
		from := int(a[1].Int64()) * widths[2]
		z.Set(a[0])
		for k := range widths[2] {
			z.SetBit(z, from+k, a[2].Bit(k))
		}
		return z
	case "uext":
		return a[0]
	case "sext":
		return z.Mod(signed(0), new(big.Int).Lsh(big.NewInt(1), uint(w+nums[0])))
	case "slice":
		z.Rsh(a[0], uint(nums[1]))
		return z.Mod(z, new(big.Int).Lsh(big.NewInt(1), uint(nums[0]-nums[1]+1)))
	}
	panic("no such operator: " + op)
}
