#include "textflag.h"

// func scanAVX2(q *int16, rows *int8, width, n int, out *int32)
// width is a multiple of 32, n at least 1.
TEXT ·scanAVX2(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ width+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ out+32(FP), R8

	// Four rows at a time: they share the loads of q and the last sums.
four:
	CMPQ CX, $4
	JLT  rest
	LEAQ (DI)(DX*1), R9
	LEAQ (DI)(DX*2), R10
	LEAQ (R9)(DX*2), R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  AX, AX

nextFour:
	VMOVDQU    (SI)(AX*2), Y8
	VPMOVSXBW  (DI)(AX*1), Y4
	VPMOVSXBW  (R9)(AX*1), Y5
	VPMOVSXBW  (R10)(AX*1), Y6
	VPMOVSXBW  (R11)(AX*1), Y7
	VPMADDWD   Y8, Y4, Y4
	VPMADDWD   Y8, Y5, Y5
	VPMADDWD   Y8, Y6, Y6
	VPMADDWD   Y8, Y7, Y7
	VPADDD     Y4, Y0, Y0
	VPADDD     Y5, Y1, Y1
	VPADDD     Y6, Y2, Y2
	VPADDD     Y7, Y3, Y3
	ADDQ       $16, AX
	CMPQ       AX, DX
	JLT        nextFour

	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (R8)

	ADDQ $16, R8
	LEAQ (DI)(DX*4), DI
	SUBQ $4, CX
	JMP  four

rest:
	TESTQ CX, CX
	JZ    done

row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  AX, AX

next:
	VPMOVSXBW (DI)(AX*1), Y2
	VPMOVSXBW 16(DI)(AX*1), Y3
	VPMADDWD  (SI)(AX*2), Y2, Y2
	VPMADDWD  32(SI)(AX*2), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, AX
	CMPQ      AX, DX
	JLT       next

	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xEE, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x55, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (R8)

	ADDQ $4, R8
	ADDQ DX, DI
	DECQ CX
	JNZ  row

done:
	VZEROUPPER
	RET

// func exactAVX2(a, b *float32, n int) float64
// n is a multiple of 8, at least 8. The sums are those of exactPortable.
TEXT ·exactAVX2(SB), NOSPLIT, $0-32
	MOVQ  a+0(FP), SI
	MOVQ  b+8(FP), DI
	MOVQ  n+16(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	XORQ  AX, AX

next:
	VCVTPS2PD (SI)(AX*4), Y2
	VCVTPS2PD 16(SI)(AX*4), Y3
	VCVTPS2PD (DI)(AX*4), Y4
	VCVTPS2PD 16(DI)(AX*4), Y5
	VMULPD    Y2, Y4, Y4
	VMULPD    Y3, Y5, Y5
	VADDPD    Y4, Y0, Y0
	VADDPD    Y5, Y1, Y1
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       next

	VADDPD       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VUNPCKHPD    X0, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+24(FP)
	VZEROUPPER
	RET

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	XORL CX, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET
