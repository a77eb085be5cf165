/* What all functions of thunk.c jump to, with the method in r11. Arguments are as the System V
 * convention for x86-64 has them: six integers and eight numbers in registers, the others on the
 * stack. Unwinders and debuggers find their way by the directives. */

#define METHOD -8
#define THREAD -16
#define ENV -24
#define INTEGERS -80
#define NUMBERS -144
#define RESULT -160
#define FRAME 160

#define FUNCTION 0     /* struct method */
#define STACK_WORDS 8

        .text
        .globl  thunk_common
        .hidden thunk_common
        .type   thunk_common, @function
thunk_common:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $FRAME, %rsp

        movq    %r11, METHOD(%rbp)
        movq    %rdi, ENV(%rbp)
        movq    %rdi, INTEGERS(%rbp)
        movq    %rsi, INTEGERS+8(%rbp)
        movq    %rdx, INTEGERS+16(%rbp)
        movq    %rcx, INTEGERS+24(%rbp)
        movq    %r8, INTEGERS+32(%rbp)
        movq    %r9, INTEGERS+40(%rbp)
        movsd   %xmm0, NUMBERS(%rbp)
        movsd   %xmm1, NUMBERS+8(%rbp)
        movsd   %xmm2, NUMBERS+16(%rbp)
        movsd   %xmm3, NUMBERS+24(%rbp)
        movsd   %xmm4, NUMBERS+32(%rbp)
        movsd   %xmm5, NUMBERS+40(%rbp)
        movsd   %xmm6, NUMBERS+48(%rbp)
        movsd   %xmm7, NUMBERS+56(%rbp)
        movq    %rdi, %rsi
        movq    %r11, %rdi
        call    native_enter
        movq    %rax, THREAD(%rbp)

        /* Copies the arguments on the stack, the last one first. */
        movq    METHOD(%rbp), %r11
        movq    STACK_WORDS(%r11), %rcx
        leaq    1(%rcx), %rax
        andq    $-2, %rax
        shlq    $3, %rax
        subq    %rax, %rsp
1:      testq   %rcx, %rcx
        je      2f
        movq    8(%rbp,%rcx,8), %rax
        movq    %rax, -8(%rsp,%rcx,8)
        decq    %rcx
        jmp     1b

2:      movq    INTEGERS(%rbp), %rdi
        movq    INTEGERS+8(%rbp), %rsi
        movq    INTEGERS+16(%rbp), %rdx
        movq    INTEGERS+24(%rbp), %rcx
        movq    INTEGERS+32(%rbp), %r8
        movq    INTEGERS+40(%rbp), %r9
        movsd   NUMBERS(%rbp), %xmm0
        movsd   NUMBERS+8(%rbp), %xmm1
        movsd   NUMBERS+16(%rbp), %xmm2
        movsd   NUMBERS+24(%rbp), %xmm3
        movsd   NUMBERS+32(%rbp), %xmm4
        movsd   NUMBERS+40(%rbp), %xmm5
        movsd   NUMBERS+48(%rbp), %xmm6
        movsd   NUMBERS+56(%rbp), %xmm7
        call    *FUNCTION(%r11)

        movq    %rax, RESULT(%rbp)
        movsd   %xmm0, RESULT+8(%rbp)
        movq    THREAD(%rbp), %rdi
        movq    ENV(%rbp), %rsi
        call    native_leave
        movq    RESULT(%rbp), %rax
        movsd   RESULT+8(%rbp), %xmm0
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   thunk_common, . - thunk_common

        .section .note.GNU-stack, "", @progbits
