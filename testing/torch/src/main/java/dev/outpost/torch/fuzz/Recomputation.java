package dev.outpost.torch.fuzz;

/** Ways to compute a program once more, to learn what a difference comes from. */
enum Recomputation {
    /** In float64. */
    EXACTLY,
    /** How far variables move when tensors, given and computed, move by a unit in their last place. */
    SHAKEN,
    /** By the definitions of functions whose kernels answer something else beside NaN and infinities. */
    DEFINED,
    /** So, and in float64. */
    EXACTLY_DEFINED,
    /** With operands that PyTorch computes rightly with: integers cast to the result's dtype, shared elements copied. */
    PREPARED
}
