package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.chain.ChainCutter;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Stage;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Formats a {@link RowProgram} as readable text, in the order in which {@link RowRun} executes it. */
final class RowListing {
    private final RowProgram program;
    private final List<ChainCutter.Piece<Stage, Place>> pieces;
    private final StringBuilder text = new StringBuilder();

    private RowListing(RowProgram program, List<ChainCutter.Piece<Stage, Place>> pieces) {
        this.program = program;
        this.pieces = pieces;
    }

    /**
     * @param pieces the stages of the program
     * @param height the number of rows in a tile
     */
    static String of(RowProgram program, List<ChainCutter.Piece<Stage, Place>> pieces, int height) {
        return new RowListing(program, pieces).write(height);
    }

    private String write(int height) {
        text.append("for each " + height + " of " + program.rows() + " rows of " + program.columns() + " elements"
                + (Vectors.PRESENT ? ", in vectors" : "") + ":\n");
        pieces.forEach(piece -> text.append(piece.listing(this::line)));
        program.footers()
                .forEach(footer -> text.append("out" + footer.result() + " = the fold of all blocks of rows\n"));
        program.totals().forEach(total -> text.append("out" + total.result() + " = the fold of all rows\n"));
        return text.toString();
    }

    private String line(Stage stage) {
        return switch (stage) {
            case Stage.Apply s -> name(s.target()) + " = " + apply(s);
            case Stage.WithNumber s ->
                name(s.target()) + " = " + call(s.name(), s.first(), s.number()) + ", a number for each row";
            case Stage.Choose s -> name(s.target()) + " = " + call("where", s.condition(), s.first(), s.second());
            case Stage.Spread s -> name(s.target()) + " = " + name(s.source()) + " along the rows";
            case Stage.Fold s -> fold(s) + call(s.name() + " of each row", s.source());
            case Stage.Columns s ->
                "out" + program.footers().get(s.fold()).result() + " joined by "
                        + call(s.name() + " of the rows", s.source());
            case Stage.Find s -> "out" + s.result() + " = " + call(s.name() + " of each row", s.source());
            case Stage.Flags s -> "out" + s.result() + " = " + name(s.source()) + " as bool";
        };
    }

    private String fold(Stage.Fold stage) {
        Place target = stage.target();
        return target.kind() == Kind.TOTAL
                ? "out" + program.totals().get(target.index()).result() + " joined by "
                : name(target) + " = ";
    }

    private String apply(Stage.Apply stage) {
        return stage.first().equals(stage.second())
                ? call(stage.name(), stage.first())
                : call(stage.name(), stage.first(), stage.second());
    }

    private String call(String function, Place... sources) {
        return function + Arrays.stream(sources).map(this::name).collect(Collectors.joining(", ", "(", ")"));
    }

    /** Returns the name of a place. A loaded value has the name of its operand. */
    private String name(Place place) {
        return place.kind() == Kind.LOAD
                ? "in" + program.loads().get(place.index()).source()
                : place.toString();
    }
}
