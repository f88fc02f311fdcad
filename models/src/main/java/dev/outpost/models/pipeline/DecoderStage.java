package dev.outpost.models.pipeline;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.KeyValues;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.source.Source;
import dev.outpost.types.DType;

/**
 * Consecutive layers of a decoder on a machine, with the caches of these layers. The first stage also has the embedding, and the last stage
 * has the head. Not thread-safe.
 */
final class DecoderStage implements AutoCloseable {
    private final RemoteMachine machine;
    private final Decoder decoder;
    private final int first;
    private final int end;
    private final PagedKvCache pool;

    private DecoderStage(RemoteMachine machine, Decoder decoder, int first, int end, PagedKvCache pool) {
        this.machine = machine;
        this.decoder = decoder;
        this.first = first;
        this.end = end;
        this.pool = pool;
    }

    /**
     * Makes the machine load the weights of some layers. Waits for the machine.
     *
     * @param textTokens the maximum number of tokens of all texts together
     */
    static DecoderStage load(Source source, ModelConfig config, DType dtype, int first, int end, long textTokens) {
        Decoder decoder = Architectures.decoder(config);
        WeightLoader.loadPart(
                decoder, source, dtype, decoder::nameOf, decoder::isSpare, name -> isPart(decoder, name, first, end));
        PagedKvCache pool = new PagedKvCache(
                source.machine(),
                dtype,
                decoder.cacheShapes().subList(first, end),
                PagedKvCache.blocksOf(textTokens),
                first);
        return new DecoderStage(source.machine(), decoder, first, end, pool);
    }

    /**
     * True if a module or parameter belongs to the layers from {@code first}, inclusive, to {@code end}, exclusive.
     */
    static boolean isPart(Decoder decoder, String name, int first, int end) {
        String prefix = decoder.layersName() + ".";
        if (name.startsWith(prefix)) {
            int dot = name.indexOf('.', prefix.length());
            int layer = Integer.parseInt(name.substring(prefix.length(), dot < 0 ? name.length() : dot));
            return layer >= first && layer < end;
        }
        boolean isLast = end == decoder.cacheShapes().size();
        return first == 0 && isBelow(decoder.embeddingNames(), name) || isLast && isBelow(decoder.headNames(), name);
    }

    private static boolean isBelow(Iterable<String> modules, String name) {
        for (String module : modules) {
            if (name.equals(module) || name.startsWith(module + ".")) {
                return true;
            }
        }
        return false;
    }

    RemoteMachine machine() {
        return machine;
    }

    Decoder decoder() {
        return decoder;
    }

    PagedKvCache pool() {
        return pool;
    }

    boolean isFirst() {
        return first == 0;
    }

    boolean isLast() {
        return end == decoder.cacheShapes().size();
    }

    /** Makes the tables that depend on positions; see {@link Decoder#prepare}. */
    void prepare(long positions, boolean isLong) {
        decoder.prepare(machine, positions, isLong);
    }

    /**
     * Returns the output of the stage.
     *
     * @param given the tokens {@code [batch, tokens]} at the first stage, the output of the previous stage at others
     * @return {@code [batch, tokens, features]}
     */
    Tensor answer(Tensor given, KeyValues past) {
        return Scope.tidy(() -> {
            Tensor x = isFirst() ? decoder.embed(given, past) : given;
            Tensor answered = decoder.layers(x, first, end, past);
            return isLast() ? decoder.normalized(answered) : answered;
        });
    }

    @Override
    public void close() {
        pool.close();
        WeightLoader.closePart(decoder, name -> isPart(decoder, name, first, end));
    }
}
