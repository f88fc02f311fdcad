package dev.outpost.gpucheck.machine;

/**
 * A Llama-shaped language model for measured steps, with random weights in bfloat16.
 *
 * @param name the name, after its number of parameters
 * @param hidden features of a token
 * @param inner features within a feed-forward net
 * @param heads the number of heads of queries, each with {@code features}
 * @param groups the number of heads of keys and values
 * @param vocabulary the number of tokens; the head is the table of embeddings
 * @param context the tokens of a prompt, and the earlier tokens that a decoding step attends to
 */
public record LlamaShape(
        String name,
        int hidden,
        int inner,
        int layers,
        int heads,
        int groups,
        int features,
        int vocabulary,
        int context) {
    /** The shape of SmolLM2-135M. */
    static final LlamaShape M135 = new LlamaShape("135M", 576, 1536, 30, 9, 3, 64, 49152, 512);

    /** The shape of Llama 3.2 1B. */
    static final LlamaShape B1 = new LlamaShape("1B", 2048, 8192, 16, 32, 8, 64, 128256, 512);

    /** The shape of Llama 3.1 8B. */
    static final LlamaShape B8 = new LlamaShape("8B", 4096, 14336, 32, 32, 8, 128, 128256, 512);

    static final LlamaShape TINY = new LlamaShape("tiny", 32, 48, 2, 4, 2, 8, 64, 32);

    /** Returns the number of weights that a step reads. */
    long weights() {
        long attention = 2L * hidden * features * (heads + groups);
        return layers * (attention + 3L * hidden * inner) + (long) vocabulary * hidden;
    }
}
