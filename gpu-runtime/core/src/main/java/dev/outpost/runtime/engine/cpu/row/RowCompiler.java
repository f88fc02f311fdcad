package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.reduce.ColumnReduction;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Footer;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Load;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Stage;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Store;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Total;
import dev.outpost.runtime.engine.cpu.tile.NumberOp;
import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.runtime.engine.cpu.tile.TileOps;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compiles the instructions of {@link FusedRows} to a {@link RowProgram}. */
public final class RowCompiler {
    private final FusedRows rows;
    private final List<Load> loads = new ArrayList<>();
    private final List<Footer> footers = new ArrayList<>();
    private final List<Total> totals = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private final Map<Integer, RowNode> nodes = new HashMap<>();
    private final RowTiles tiles = new RowTiles();
    private int position;

    private RowCompiler(FusedRows rows) {
        this.rows = rows;
    }

    public static RowProgram compile(FusedRows rows) {
        return new RowCompiler(rows).program();
    }

    private RowProgram program() {
        List<Instruction> instructions = rows.map().instructions();
        for (position = 0; position < instructions.size(); position++) {
            define(instructions.get(position));
        }
        for (int result : rows.map().results()) {
            nodes.get(result).lastUse = Integer.MAX_VALUE;
        }
        List<Store> stores = new ArrayList<>();
        for (Instruction instruction : instructions) {
            if (rows.map().results().contains(instruction.result(0))) {
                stores.add(new Store(isWide(instruction)));
            }
        }
        for (position = 0; position < instructions.size(); position++) {
            write(instructions.get(position));
        }
        storeOthers(instructions);
        return new RowProgram(
                rows.rows(),
                rows.columns(),
                loads,
                stages,
                stores,
                footers,
                totals,
                tiles.wide().most(),
                tiles.narrow().most());
    }

    private boolean isWide(Instruction instruction) {
        return rows.isWide(instruction.resultType(0).shape());
    }

    // ---- users and lifetimes of values

    private void define(Instruction instruction) {
        for (int operand = 0; operand < instruction.operandCount(); operand++) {
            if (rows.map().isWithin(instruction, operand)) {
                nodes.get(instruction.operand(operand)).lastUse = position;
            }
        }
        boolean isAgain = isCopy(instruction) && rows.map().isWithin(instruction, 0);
        nodes.put(
                instruction.result(0), isAgain ? nodes.get(instruction.operand(0)) : new RowNode(isWide(instruction)));
    }

    /**
     * Returns true if an instruction only copies numbers. A cast in rows never changes a number: it casts from bool, or to the same
     * dtype.
     */
    private static boolean isCopy(Instruction instruction) {
        return instruction.op() instanceof AsStrided
                || instruction.op() instanceof Cast
                || instruction.op() == Unary.COPY;
    }

    private RowNode node(Instruction instruction) {
        return nodes.get(instruction.result(0));
    }

    // ---- stages

    private void write(Instruction instruction) {
        RowNode node = node(instruction);
        if (node.place == null) {
            compute(instruction, node);
        }
        release(instruction);
    }

    private void compute(Instruction instruction, RowNode node) {
        boolean isWide = node.isWide;
        switch (instruction.op()) {
            case Reduce reduce
            when rows.foldsColumns(instruction) || rows.foldsAll(instruction) -> toResult(instruction, node);
            case ArgReduce _ -> toResult(instruction, node);
            case Reduce reduce -> {
                Shape whole = instruction.operandType(0).shape();
                Place source = operand(instruction, 0, whole, true);
                stages.add(
                        new Stage.Fold(reduce.label(), RowReduction.of(reduce.fn()), source, place(instruction, node)));
            }
            case Unary unary
            when TileOps.curve(unary).isPresent() -> {
                TileOps.Curve curve = TileOps.curve(unary).orElseThrow();
                Place source = operand(instruction, 0, isWide);
                Place power = tiles.take(isWide);
                String name = unary.label();
                stages.add(new Stage.Apply(name + " exponent", curve.exponent(), source, source, power, isWide));
                stages.add(new Stage.Apply(Unary.EXP.label(), TileOps.EXP_OF_NEGATIVE, power, power, power, isWide));
                stages.add(new Stage.Apply(name, curve.join(), source, power, place(instruction, node), isWide));
                tiles.give(power);
            }
            case Unary unary
            when unary == Unary.EXP && followsDifference(instruction) -> {
                Stage.WithNumber difference = (Stage.WithNumber) stages.removeLast();
                String name = unary.label() + " of " + difference.name();
                Place target = place(instruction, node);
                NumberOp op = isFall(maker(instruction.operand(0))) ? NumberOp.EXP_OF_FALL : NumberOp.EXP_OF_SUB;
                stages.add(new Stage.WithNumber(name, op, difference.first(), difference.number(), target));
            }
            case Unary unary ->
                apply(RowCode.of(unary, instruction.resultType(0).dtype()).orElseThrow(), instruction, node, 0);
            case Cast _ -> apply(TileOps.of(Unary.COPY).orElseThrow(), instruction, node, 0);
            case Binary binary
            when isWithNumber(binary, instruction, node, 1) -> withNumber(binary, instruction, node, 0);
            case Binary binary
            when NumberOp.commutes(binary) && isWithNumber(binary, instruction, node, 0) ->
                withNumber(binary, instruction, node, 1);
            case Binary binary ->
                apply(RowCode.of(binary, instruction.operandType(0).dtype()).orElseThrow(), instruction, node, 1);
            case Ternary _ -> {
                Place condition = operand(instruction, 0, isWide);
                Place first = operand(instruction, 1, isWide);
                Place second = operand(instruction, 2, isWide);
                stages.add(new Stage.Choose(condition, first, second, place(instruction, node), isWide));
            }
            default -> throw new IllegalStateException(instruction.op().label() + " is not computed by rows");
        }
    }

    /** Adds the stage of a value that no instruction of the rows uses. The stage is left out if the value is not a result either. */
    private void toResult(Instruction instruction, RowNode node) {
        int result = rows.map().results().indexOf(instruction.result(0));
        node.place = new Place(Kind.RESULT, result);
        if (result >= 0) {
            Place source = operand(instruction, 0, instruction.operandType(0).shape(), true);
            stages.add(toResult(instruction, source, result));
        }
    }

    private Stage toResult(Instruction instruction, Place source, int result) {
        String name = instruction.op().label();
        if (instruction.op() instanceof ArgReduce reduce) {
            return new Stage.Find(name, reduce.fn(), source, result);
        }
        Reduce.Fn fn = ((Reduce) instruction.op()).fn();
        if (rows.foldsColumns(instruction)) {
            footers.add(new Footer(ColumnReduction.of(fn), result));
            return new Stage.Columns(name, source, footers.size() - 1);
        }
        totals.add(new Total(RowReduction.of(fn), result));
        return new Stage.Fold(name, RowReduction.of(fn), source, new Place(Kind.TOTAL, totals.size() - 1));
    }

    /**
     * Returns true if the operand has one number for each row, and the op can combine this number with a whole row of
     * the other operand without copying it to each column.
     */
    private boolean isWithNumber(Binary op, Instruction instruction, RowNode node, int operand) {
        return node.isWide
                && instruction.resultType(0).dtype() == DType.FLOAT32
                && NumberOp.of(op).isPresent()
                && rows.columns() > RowReduction.SHORT
                && rows.map().isWithin(instruction, operand)
                && !nodes.get(instruction.operand(operand)).isWide
                && nodes.get(instruction.operand(operand)).spread == null;
    }

    private void withNumber(Binary op, Instruction instruction, RowNode node, int wide) {
        Place row = operand(instruction, wide, true);
        Place number = nodes.get(instruction.operand(1 - wide)).place;
        stages.add(
                new Stage.WithNumber(op.label(), NumberOp.of(op).orElseThrow(), row, number, place(instruction, node)));
    }

    /**
     * Returns true if the latest stage subtracts one number from each row, and only this instruction uses its result.
     */
    private boolean followsDifference(Instruction instruction) {
        if (stages.isEmpty()
                || !(stages.getLast() instanceof Stage.WithNumber latest)
                || latest.op() != NumberOp.SUB
                || !rows.map().isWithin(instruction, 0)) {
            return false;
        }
        RowNode operand = nodes.get(instruction.operand(0));
        return operand.place.equals(latest.target()) && operand.lastUse == position;
    }

    /** Returns true if the instruction subtracts the largest element of each row from the row. */
    private boolean isFall(Instruction difference) {
        if (!rows.map().isWithin(difference, 1)) {
            return false;
        }
        Instruction number = maker(difference.operand(1));
        while (isCopy(number) && rows.map().isWithin(number, 0)) {
            number = maker(number.operand(0));
        }
        return number.op() instanceof Reduce reduce
                && reduce.fn() == Reduce.Fn.MAX
                && number.operand(0) == difference.operand(0)
                && number.operand(0) != Instruction.IMMEDIATE;
    }

    private Instruction maker(int value) {
        return rows.map().instructions().stream()
                .filter(instruction -> instruction.result(0) == value)
                .findFirst()
                .orElseThrow();
    }

    private void apply(TileOp op, Instruction instruction, RowNode node, int second) {
        Place left = operand(instruction, 0, node.isWide);
        Place right = operand(instruction, second, node.isWide);
        String name = instruction.op().label();
        stages.add(new Stage.Apply(name, op, left, right, place(instruction, node), node.isWide));
    }

    private Place operand(Instruction instruction, int operand, boolean isWide) {
        return operand(instruction, operand, instruction.resultType(0).shape(), isWide);
    }

    private Place operand(Instruction instruction, int operand, Shape shape, boolean isWide) {
        if (!rows.map().isWithin(instruction, operand)) {
            return load(new Load(rows.map().source(instruction, operand), shape, isWide));
        }
        RowNode node = nodes.get(instruction.operand(operand));
        return isWide && !node.isWide ? spread(node) : node.place;
    }

    private Place load(Load load) {
        if (!loads.contains(load)) {
            loads.add(load);
        }
        return new Place(Kind.LOAD, loads.indexOf(load));
    }

    private Place spread(RowNode node) {
        if (node.spread == null) {
            node.spread = tiles.take(true);
            stages.add(new Stage.Spread(node.place, node.spread));
        }
        return node.spread;
    }

    /**
     * Chooses the place of a value. A float result is computed directly in its array. Any other value is computed in
     * a tile, preferably in the tile of an operand that is not used again, because that tile is already in the
     * nearest cache.
     */
    private Place place(Instruction instruction, RowNode node) {
        int result = rows.map().results().indexOf(instruction.result(0));
        boolean isFloat = instruction.resultType(0).dtype() == DType.FLOAT32;
        release(instruction);
        node.place = result >= 0 && isFloat ? new Place(Kind.RESULT, result) : tiles.take(node.isWide);
        return node.place;
    }

    private void release(Instruction instruction) {
        for (int operand = 0; operand < instruction.operandCount(); operand++) {
            if (rows.map().isWithin(instruction, operand)) {
                release(nodes.get(instruction.operand(operand)));
            }
        }
    }

    private void release(RowNode node) {
        if (node.lastUse == position) {
            tiles.give(node.place);
            tiles.give(node.spread);
            node.lastUse = Integer.MAX_VALUE;
        }
    }

    /** Stores the results that repeat another value, or that are bools. */
    private void storeOthers(List<Instruction> instructions) {
        TileOp copy = TileOps.of(Unary.COPY).orElseThrow();
        for (Instruction instruction : instructions) {
            int result = rows.map().results().indexOf(instruction.result(0));
            Place target = new Place(Kind.RESULT, result);
            RowNode node = node(instruction);
            if (result < 0 || node.place.equals(target)) {
                continue;
            }
            boolean isWide = isWide(instruction);
            Place computed = isWide && !node.isWide ? spread(node) : node.place;
            stages.add(
                    instruction.resultType(0).dtype() == DType.BOOL
                            ? new Stage.Flags(computed, result, isWide)
                            : new Stage.Apply(Unary.COPY.label(), copy, computed, computed, target, isWide));
        }
    }
}
