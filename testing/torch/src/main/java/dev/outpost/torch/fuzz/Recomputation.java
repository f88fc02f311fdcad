package dev.outpost.torch.fuzz;

/** Ways to compute a program again, to find the cause of a difference. */
enum Recomputation {
    /** Computes in float64. */
    EXACTLY,
    /** Computes how far variables move if given and computed tensors move by one unit in the last place. */
    SHAKEN,
    /** Computes by the definitions of functions whose kernels give other results if NaN or infinities occur. */
    DEFINED,
    /** Computes by the definitions and in float64. */
    EXACTLY_DEFINED,
    /** Computes with operands for which PyTorch is right: integers are cast to the result's dtype, and shared elements copied. */
    PREPARED
}
