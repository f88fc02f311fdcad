package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.chain.ChainCutter;
import dev.outpost.runtime.engine.cpu.chain.ChainCutter.Folding;
import dev.outpost.runtime.engine.cpu.chain.ChainCutter.Operation;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.reduce.ColumnBlocks;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Stage;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The view of a {@link RowProgram}'s stages for the {@link ChainCutter}. Stages that compute one element from each element of their
 * sources can be a part of a chain.
 */
record RowStages(RowProgram program) implements ChainCutter.View<Stage, Place> {
    private static final int MIN_FOLDED = 256;

    @Override
    public List<Operation<Place>> operations(Stage stage) {
        return switch (stage) {
            case Stage.Apply s
            when s.isWide() ->
                s.op().step().stream()
                        .map(step -> new Operation<>(step, sources(s, step), s.target()))
                        .toList();
            case Stage.Choose s
            when s.isWide() ->
                List.of(new Operation<>(VectorStep.CHOOSE, List.of(s.condition(), s.first(), s.second()), s.target()));
            case Stage.WithNumber s -> withNumber(s);
            case Stage.Columns s when ColumnBlocks.joinsRows(program.rows(), program.columns()) -> List.of(columns(s));
            case Stage.Apply _, Stage.Choose _, Stage.Spread _, Stage.Fold _ -> List.of();
            case Stage.Columns _, Stage.Find _, Stage.Flags _ -> List.of();
        };
    }

    private Operation<Place> columns(Stage.Columns stage) {
        Place block = new Place(Kind.COLUMNS, stage.fold());
        VectorStep step = program.footers().get(stage.fold()).fold().step();
        return new Operation<>(step, List.of(block, stage.source()), block);
    }

    @Override
    public Optional<Folding<Place>> folding(Stage stage) {
        return stage instanceof Stage.Fold fold && isWorthEntering(program.columns())
                ? Optional.of(new Folding<>(fold.fold(), fold.source(), fold.target()))
                : Optional.empty();
    }

    /** Returns true if rows are long enough to enter a folding loop for each row, and consist of whole registers of lanes. */
    private static boolean isWorthEntering(int columns) {
        return columns >= MIN_FOLDED && columns % RowReduction.LANES == 0;
    }

    private static List<Place> sources(Stage.Apply stage, VectorStep step) {
        return switch (step.operands()) {
            case 1 -> List.of(stage.first());
            case 2 -> List.of(stage.first(), stage.second());
            default -> throw new IllegalStateException(step + " is no operation of two");
        };
    }

    private static List<Operation<Place>> withNumber(Stage.WithNumber stage) {
        List<Place> sources = List.of(stage.first(), stage.number());
        List<Operation<Place>> operations = new ArrayList<>();
        for (VectorStep step : stage.op().steps()) {
            operations.add(new Operation<>(step, sources, stage.target()));
            sources = List.of(stage.target());
        }
        return operations;
    }

    @Override
    public List<Place> sources(Stage stage) {
        return switch (stage) {
            case Stage.Apply s -> List.of(s.first(), s.second());
            case Stage.WithNumber s -> List.of(s.first(), s.number());
            case Stage.Choose s -> List.of(s.condition(), s.first(), s.second());
            case Stage.Spread s -> List.of(s.source());
            case Stage.Fold s -> List.of(s.source());
            case Stage.Columns s -> List.of(s.source());
            case Stage.Find s -> List.of(s.source());
            case Stage.Flags s -> List.of(s.source());
        };
    }

    @Override
    public Place target(Stage stage) {
        return switch (stage) {
            case Stage.Apply s -> s.target();
            case Stage.WithNumber s -> s.target();
            case Stage.Choose s -> s.target();
            case Stage.Spread s -> s.target();
            case Stage.Fold s -> s.target();
            case Stage.Columns _, Stage.Find _, Stage.Flags _ -> null;
        };
    }

    @Override
    public boolean isNumber(Place place) {
        return switch (place.kind()) {
            case LOAD -> !program.loads().get(place.index()).isWide();
            case NARROW, TOTAL -> true;
            case WIDE, COLUMNS -> false;
            case RESULT -> !program.stores().get(place.index()).isWide();
        };
    }

    @Override
    public boolean isResult(Place place) {
        return place.kind() == Kind.RESULT || place.kind() == Kind.COLUMNS;
    }
}
