package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Finds the likeliest texts by beam search, with the rules of transformers. In each step, the best continuations of all beams that have
 * ended are kept as results, and the best of the others become the next beams. The machine chooses the beams, so a step is enqueued before
 * the results of earlier steps are read.
 *
 * <p>Beams share the blocks of their common prefix. Only one beam writes a block. A beam that continues another beam copies only the last
 * block of the other beam, which is not full yet. One object serves one search. Not thread-safe.
 */
final class BeamSearch implements AutoCloseable {
    private static final int CHUNK = 256;
    /** The number of steps that are enqueued before the result of the first is read. */
    private static final int AHEAD = 8;

    private static final double NEVER = -1e9;

    private final RemoteMachine machine;
    private final Decoder decoder;
    private final PagedKvCache pool;
    private final BeamSettings settings;
    private final List<Integer> ends;
    private final int beams;
    private final int candidates;
    private final int[] prompt;
    private final int blocks;
    private final int[][] own;
    private final Program step;
    private final Program chunk;
    /** For each step that was read: the index of each beam's parent among the beams of the step before. */
    private final List<int[]> parents = new ArrayList<>();

    private final List<int[]> tokens = new ArrayList<>();
    private final List<Beam> finished = new ArrayList<>();

    BeamSearch(
            RemoteMachine machine,
            Decoder decoder,
            PagedKvCache pool,
            int[] prompt,
            BeamSettings settings,
            Set<Integer> ends) {
        this.machine = machine;
        this.decoder = decoder;
        this.pool = pool;
        this.settings = settings;
        this.ends = ends.stream().sorted().toList();
        this.prompt = prompt;
        beams = settings.beams();
        candidates = Math.min(beams * Math.max(2, 1 + ends.size()), beams * decoder.vocabulary());
        blocks = PagedKvCache.blocksOf((long) prompt.length + settings.maxTokens());
        own = take();
        step = machine.program(this::step);
        chunk = machine.program(this::chunk);
    }

    /** Takes the blocks: one for each beam and block index. The blocks of the prompt belong to the first beam. */
    private int[][] take() {
        int shared = (prompt.length - 1) / PagedKvCache.BLOCK_SIZE;
        int[] all = pool.take(shared + beams * (blocks - shared));
        int[][] table = new int[beams][blocks];
        for (int beam = 0; beam < beams; beam++) {
            System.arraycopy(all, 0, table[beam], 0, shared);
            System.arraycopy(all, shared + beam * (blocks - shared), table[beam], shared, blocks - shared);
        }
        return table;
    }

    List<Beam> run() {
        return GradMode.noGrad(() -> {
            prefill();
            return search();
        });
    }

    private void prefill() {
        long[] row = Arrays.stream(own[0]).asLongStream().toArray();
        for (int from = 0; from < prompt.length - 1; from += CHUNK) {
            int to = Math.min(prompt.length - 1, from + CHUNK);
            long[] ids =
                    IntStream.range(from, to).mapToLong(place -> prompt[place]).toArray();
            long[] indices = IntStream.range(from, to).asLongStream().toArray();
            machine.unscoped(() -> Scope.tidy(() -> chunk.call(
                                    machine.tensor(ids, 1, ids.length),
                                    machine.tensor(indices, 1, ids.length),
                                    machine.tensor(row, 1, blocks))
                            .getFirst()))
                    .close();
        }
    }

    private List<Tensor> chunk(List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            decoder.hidden(inputs.get(0), pool.at(inputs.get(2), inputs.get(1)));
            return List.of(inputs.get(1).add(1));
        });
    }

    /** A step that is enqueued and not read yet. */
    private record Flight(CompletableFuture<HostTensor> found, CompletableFuture<HostTensor> next) {}

    private List<Beam> search() {
        long[] table = new long[beams * blocks];
        // All beams start from the first beam, which holds the prompt.
        IntStream.range(0, beams * blocks).forEach(place -> table[place] = own[0][place % blocks]);
        double[] scores = new double[beams];
        Arrays.fill(scores, 1, beams, NEVER);
        List<Tensor> state = new ArrayList<>(machine.unscoped(() -> List.of(
                machine.full(prompt[prompt.length - 1], DType.INT64, beams),
                machine.tensor(scores, beams).to(DType.FLOAT32),
                machine.zeros(DType.INT64, beams),
                machine.tensor(table, beams, blocks))));
        Deque<Flight> under = new ArrayDeque<>();
        try {
            int started = 0;
            for (int number = 0; number < settings.maxTokens(); number++) {
                while (started < settings.maxTokens() && under.size() < AHEAD) {
                    under.add(enqueue(state, started++));
                }
                if (read(under.remove(), number)) {
                    break;
                }
            }
            return List.copyOf(finished);
        } finally {
            state.forEach(Tensor::close);
        }
    }

    /** Enqueues a step, and replaces the state by the state after it. */
    private Flight enqueue(List<Tensor> state, int number) {
        int position = prompt.length - 1 + number;
        long[] ownBlocks = IntStream.range(0, beams)
                .mapToLong(beam -> own[beam][position / PagedKvCache.BLOCK_SIZE])
                .toArray();
        return machine.unscoped(() -> {
            List<Tensor> results = Scope.tidy(
                    () -> step.call(
                            state.get(0),
                            state.get(1),
                            state.get(2),
                            state.get(3),
                            machine.full(position, DType.INT64, beams, 1),
                            machine.tensor(ownBlocks, beams)),
                    called -> called);
            state.forEach(Tensor::close);
            state.clear();
            state.addAll(results.subList(0, 4));
            Flight flight = new Flight(results.get(4).fetch(), results.get(5).fetch());
            results.get(4).close();
            results.get(5).close();
            return flight;
        });
    }

    private List<Tensor> step(List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            Tensor before = inputs.get(1);
            Tensor position = inputs.get(4);
            Tensor ownBlocks = inputs.get(5);
            Tensor table = inputs.get(3).indexSelect(0, inputs.get(2));
            Tensor place = position.floorDivide(PagedKvCache.BLOCK_SIZE);
            pool.copyBlocks(table.gather(1, place).squeeze(-1), ownBlocks);
            table = table.scatter(1, place, ownBlocks.unsqueeze(-1));
            Tensor hidden = decoder.hidden(inputs.get(0).reshape(-1, 1), pool.at(table, position));
            Tensor scores =
                    decoder.logits(hidden.reshape(beams, -1)).to(DType.FLOAT32).logSoftmax(-1);
            ValuesAndIndices found =
                    scores.add(before.unsqueeze(-1)).reshape(-1).topk(candidates, 0, true, true);
            Tensor parent = found.indices().floorDivide(decoder.vocabulary());
            Tensor token = found.indices().remainder(decoder.vocabulary());
            Tensor chosen = goingOn(token);
            Tensor next = token.indexSelect(0, chosen);
            Tensor nextParent = parent.indexSelect(0, chosen);
            Tensor nextScores = found.values().indexSelect(0, chosen);
            Tensor told = Tensors.stack(List.of(token.to(DType.FLOAT32), parent.to(DType.FLOAT32), found.values()), 0);
            return List.of(
                    next,
                    nextScores,
                    nextParent,
                    table,
                    told,
                    Tensors.stack(List.of(next.to(DType.FLOAT32), nextParent.to(DType.FLOAT32), nextScores), 0));
        });
    }

    /** Returns the best candidates that do not end a text, {@code [beams]}. */
    private Tensor goingOn(Tensor token) {
        Tensor rank = machine.arange(candidates);
        for (int end : ends) {
            rank = rank.add(token.eq(end).to(DType.INT64).mul(candidates));
        }
        return rank.argsort(0, false).narrow(0, 0, beams);
    }

    /** Reads the results of a step. Returns true if no better text is possible. */
    private boolean read(Flight flight, int number) {
        float[] found = join(flight.found);
        float[] next = join(flight.next);
        int length = number + 1;
        boolean isLast = length == settings.maxTokens();
        for (int rank = 0; rank < beams; rank++) {
            int token = (int) found[rank];
            if (isLast || ends.contains(token)) {
                int[] text = Arrays.copyOf(text((int) found[candidates + rank]), length);
                text[length - 1] = token;
                finish(new Beam(text, penalized(found[2 * candidates + rank], length)));
            }
        }
        tokens.add(IntStream.range(0, beams).map(beam -> (int) next[beam]).toArray());
        parents.add(
                IntStream.range(0, beams).map(beam -> (int) next[beams + beam]).toArray());
        boolean isFull = finished.size() == beams;
        return isFull && (settings.stopsEarly() || finished.getLast().score() >= penalized(next[2 * beams], length));
    }

    private void finish(Beam beam) {
        finished.add(beam);
        finished.sort(Comparator.comparingDouble(Beam::score).reversed());
        if (finished.size() > beams) {
            finished.removeLast();
        }
    }

    private double penalized(double score, int length) {
        return score / Math.pow(length, settings.lengthPenalty());
    }

    /** Returns the tokens of a beam so far. */
    private int[] text(int beam) {
        int[] text = new int[tokens.size()];
        int place = beam;
        for (int number = text.length - 1; number >= 0; number--) {
            text[number] = tokens.get(number)[place];
            place = parents.get(number)[place];
        }
        return text;
    }

    private static float[] join(CompletableFuture<HostTensor> future) {
        try {
            return future.join().toFloatArray();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    @Override
    public void close() {
        step.close();
        chunk.close();
        pool.release(Arrays.stream(own).flatMapToInt(Arrays::stream).distinct().toArray());
    }
}
