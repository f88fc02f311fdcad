package dev.outpost.torch;

/** The subject of a comparison with PyTorch: it knows ops by PyTorch's names and computes cases. */
public interface ParitySubject extends AutoCloseable {
    /** Returns true if the op is known. Cases of unknown ops fail without a call. */
    boolean knows(String op);

    /**
     * Computes a case and fetches the results, and the gradients of its leaves if it has cotangents.
     *
     * @param parityCase a case of an op that this subject knows
     * @param pack the pack with the case's tensors
     * @throws dev.outpost.types.OutpostException of kind {@code USER} if it refuses the call
     */
    ParityAnswer compute(ParityCase parityCase, ParityPack pack);

    @Override
    void close();
}
