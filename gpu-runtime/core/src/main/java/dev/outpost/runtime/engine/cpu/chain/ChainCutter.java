package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Cuts a sequence of stages into pieces. Adjacent stages become one chain if they can.
 *
 * @param <S> a stage
 * @param <P> a place that stages read and write
 */
public final class ChainCutter<S, P> {
    /** The properties of stages. */
    public interface View<S, P> {
        /**
         * Returns the operations of a stage. A stage without operations can be a part of a chain only if it is a
         * fold.
         */
        List<Operation<P>> operations(S stage);

        /** Returns the fold of a stage; empty if the stage is not a fold, or cannot be a part of a chain. */
        Optional<Folding<P>> folding(S stage);

        List<P> sources(S stage);

        /** Returns the place to which a stage writes; null if no other stage reads it. */
        P target(S stage);

        /** Returns true if the place holds one number for all the elements of a chain. */
        boolean isNumber(P place);

        /** Returns true if the final content of the place is a result. */
        boolean isResult(P place);
    }

    /** An operation of a stage on places. */
    public record Operation<P>(VectorStep step, List<P> sources, P target) {}

    /** Folds all elements of one place into one number in another place. */
    public record Folding<P>(RowReduction fold, P source, P target) {}

    /**
     * Adjacent stages.
     *
     * @param code their joint code; null for a single stage
     * @param arrays the arrays that the loop reads, then the arrays that it writes
     * @param numbers the numbers that are the same for all elements
     * @param folded the places of the folded numbers
     */
    public record Piece<S, P>(List<S> stages, ChainCode code, List<P> arrays, List<P> numbers, List<P> folded) {
        static <S, P> Piece<S, P> single(S stage) {
            return new Piece<>(List.of(stage), null, List.of(), List.of(), List.of());
        }

        /** Returns the loop of the stages; null if they have to run one by one. */
        public ChainLoop loop() {
            return code == null ? null : code.loop();
        }

        /** Counts elements that were computed stage by stage. */
        public void missed(int count) {
            if (code != null) {
                code.missed(count);
            }
        }

        /** Returns the stages as readable text, with one line for each. */
        public String listing(Function<S, String> line) {
            String margin = code == null ? "    " : "        ";
            String lines = stages.stream()
                    .map(stage -> margin + line.apply(stage) + "\n")
                    .collect(Collectors.joining());
            return code == null ? lines : "    in one loop, where the JIT makes it quick:\n" + lines;
        }
    }

    private final List<S> stages;
    private final View<S, P> view;
    private final Chains chains;
    private final List<Piece<S, P>> pieces = new ArrayList<>();
    private ChainWriter<P> writer;
    /** The index of the first stage that belongs to no piece yet. */
    private int begin;

    private ChainCutter(List<S> stages, View<S, P> view, Chains chains) {
        this.stages = stages;
        this.view = view;
        this.chains = chains;
        this.writer = new ChainWriter<>(view::isNumber);
    }

    public static <S, P> List<Piece<S, P>> cut(List<S> stages, View<S, P> view, Chains chains) {
        if (!Vectors.PRESENT) {
            return stages.stream().map(Piece::<S, P>single).toList();
        }
        ChainCutter<S, P> cutter = new ChainCutter<>(stages, view, chains);
        for (int place = 0; place < stages.size(); place++) {
            cutter.see(place);
        }
        cutter.close(stages.size());
        return cutter.pieces;
    }

    private void see(int place) {
        S stage = stages.get(place);
        List<Operation<P>> operations = view.operations(stage);
        Optional<Folding<P>> folding = view.folding(stage);
        boolean isPart = !operations.isEmpty() || folding.isPresent();
        if (!isPart || !writer.hasRoom(weight(operations, folding)) || needsFold(stage)) {
            close(place);
        }
        if (!isPart) {
            pieces.add(Piece.single(stage));
            begin = place + 1;
        }
        operations.forEach(writer::add);
        folding.ifPresent(writer::add);
    }

    private int weight(List<Operation<P>> operations, Optional<Folding<P>> folding) {
        int folded = folding.map(fold -> fold.fold().step().weight()).orElse(0);
        return operations.stream()
                        .mapToInt(operation -> operation.step().weight())
                        .sum()
                + folded;
    }

    private boolean needsFold(S stage) {
        return view.sources(stage).stream().anyMatch(writer::foldsTo);
    }

    private void close(int end) {
        if (end - begin == 1) {
            // A single stage runs by the loop of its operation, which all programs share.
            pieces.add(Piece.single(stages.get(begin)));
        } else if (end > begin) {
            ChainWriter.Written<P> written = writer.finish(place -> view.isResult(place) || isReadFrom(end, place));
            pieces.add(new Piece<>(
                    List.copyOf(stages.subList(begin, end)),
                    chains.code(written.chain()),
                    written.arrays(),
                    written.numbers(),
                    written.folded()));
        }
        writer = new ChainWriter<>(view::isNumber);
        begin = end;
    }

    /** Returns true if one of the later stages reads the place before any of them writes it. */
    private boolean isReadFrom(int first, P place) {
        for (S stage : stages.subList(first, stages.size())) {
            if (view.sources(stage).contains(place)) {
                return true;
            }
            if (place.equals(view.target(stage))) {
                return false;
            }
        }
        return false;
    }
}
