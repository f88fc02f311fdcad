package dev.outpost.torch.fuzz;

import dev.outpost.torch.fuzz.FuzzStatement.Backward;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Draws a program, statement by statement, over the variables that exist by then. The seed determines all. */
final class ProgramDrawer {
    private static final long[][] SIZES = {{2, 3, 4}, {1, 2, 3}, {3, 3, 3, 1}, {1, 2, 5}, {4, 4, 6}, {2, 33}, {1, 70, 3}
    };

    private final DrawTable table;
    private final Random random;
    private final Literals literals;
    private final long[] sizes;
    private final int length;
    private final boolean trains;
    private int names;

    ProgramDrawer(DrawTable table, long seed) {
        this.table = table;
        random = new Random(seed);
        literals = new Literals(random);
        sizes = SIZES[Math.min(random.nextInt(SIZES.length), random.nextInt(SIZES.length))];
        length = 4 + random.nextInt(10);
        trains = table.hasLayers() && random.nextInt(6) == 0;
    }

    /** The intended number of calls. */
    int length() {
        return length;
    }

    /** True if {@link #training} draws the whole program. */
    boolean trains() {
        return trains;
    }

    List<FuzzStatement> training() {
        return new TrainingDrawer(random, literals).program();
    }

    private String newName() {
        return "v" + names++;
    }

    private Draw draw(List<Known> known) {
        return new Draw(random, literals, known, this::newName, sizes);
    }

    /** Draws a call, preceded by the tensors that it lacks. */
    List<FuzzStatement> next(List<Known> known) {
        String op = table.anyOp(random);
        Draw draw = draw(known);
        Draft draft = table.draw(op, draw);
        List<FuzzStatement> statements = new ArrayList<>(draw.made());
        Invocation call = draft.call(newName(), op, false);
        boolean withoutGrad = call.isWrite() && random.nextInt(6) == 0;
        statements.add(withoutGrad ? draft.call(call.name(), op, true) : call);
        return statements;
    }

    /** Draws a backward pass from a variable with a graph, if one exists. */
    List<FuzzStatement> backward(List<Known> known) {
        List<Known> outputs = known.stream()
                .filter(variable -> variable.requiresGrad() && !variable.isLeaf())
                .toList();
        if (outputs.isEmpty()) {
            return List.of();
        }
        Known output = outputs.get(outputs.size() - 1 - random.nextInt(Math.min(outputs.size(), 4)));
        boolean retainGraph = random.nextBoolean();
        if (output.rank() == 0 && random.nextBoolean()) {
            return List.of(new Backward(output.name(), Optional.empty(), retainGraph));
        }
        Literal cotangent = new Literal(newName(), literals.of(output.dtype(), output.shape()), false);
        return List.of(cotangent, new Backward(output.name(), Optional.of(cotangent.name()), retainGraph));
    }
}
