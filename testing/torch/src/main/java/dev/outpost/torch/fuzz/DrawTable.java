package dev.outpost.torch.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The ops of random programs, by PyTorch's names, with the way to draw the arguments of each. */
final class DrawTable {
    private final Map<String, Function<Draw, Draft>> rows = new LinkedHashMap<>();
    private final List<List<String>> families = new ArrayList<>();

    private final boolean isPart;

    private DrawTable(boolean isPart) {
        this.isPart = isPart;
    }

    /** Returns a table of all ops; views and writes, which are few but important for the others, have a larger weight. */
    static DrawTable ofAllFamilies() {
        DrawTable table = new DrawTable(false);
        table.family(4, PointwiseDraws::addTo);
        table.family(3, ReductionDraws::addTo);
        table.family(4, ViewDraws::addTo);
        table.family(2, ShapeDraws::addTo);
        table.family(2, IndexDraws::addTo);
        table.family(4, WriteDraws::addTo);
        table.family(1, ProductDraws::addTo);
        table.family(2, LayerDraws::addTo);
        return table;
    }

    private void family(int weight, Consumer<DrawTable> addTo) {
        Set<String> before = Set.copyOf(rows.keySet());
        addTo.accept(this);
        List<String> added =
                rows.keySet().stream().filter(op -> !before.contains(op)).toList();
        families.addAll(Collections.nCopies(weight, added));
    }

    /** Returns a table with only these ops. */
    DrawTable only(Set<String> wanted) {
        DrawTable table = new DrawTable(true);
        wanted.forEach(op -> table.row(op, known(op)));
        table.families.add(List.copyOf(wanted));
        return table;
    }

    private Function<Draw, Draft> known(String op) {
        Function<Draw, Draft> arguments = rows.get(op);
        if (arguments == null) {
            throw new IllegalArgumentException("parity: no op is drawn by the name " + op);
        }
        return arguments;
    }

    void row(String op, Function<Draw, Draft> arguments) {
        if (rows.put(op, arguments) != null) {
            throw new IllegalStateException("two rows are called " + op);
        }
    }

    void rows(Function<Draw, Draft> arguments, String... ops) {
        for (String op : ops) {
            row(op, arguments);
        }
    }

    /** Returns true if training programs are drawn, too: not if only some ops are requested. */
    boolean hasLayers() {
        return !isPart;
    }

    Set<String> ops() {
        return rows.keySet();
    }

    /** Draws an op; each family has its own weight, regardless of its number of ops. */
    String anyOp(Random random) {
        List<String> family = families.get(random.nextInt(families.size()));
        return family.get(random.nextInt(family.size()));
    }

    Draft draw(String op, Draw draw) {
        return rows.get(op).apply(draw);
    }
}
