package dev.outpost.runtime.session;

import dev.outpost.protocol.ir.Structure;
import dev.outpost.runtime.plan.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A session's values that are not stored, and when they are computed: when somebody asks for one, or when what is held for
 * their sake would take more than they do. Used by the session's worker alone.
 */
final class Recipes {
    /** Each holds up to 64 instructions. */
    static final int MOST = 1024;

    private final SegmentRunner runner;
    private final Values values;
    private final SessionMemory memory;
    private final Set<Recipe> all = new LinkedHashSet<>();

    Recipes(SegmentRunner runner, Values values, SessionMemory memory) {
        this.runner = runner;
        this.values = values;
        this.memory = memory;
    }

    /** Whether a plan's runs may leave theirs: not where memory is short, nor where those before were mostly asked for. */
    boolean takes(Plan plan) {
        return !plan.demand().decidesToStore()
                && all.size() + plan.recipes() <= MOST
                && hasRoomTwice(plan.memory().newBytes());
    }

    /** Besides what a run takes there is to be room for computing them. A plan may take more than a long can say twice. */
    private boolean hasRoomTwice(long bytes) {
        return bytes <= Long.MAX_VALUE / 2 && memory.available(2 * bytes) >= 2 * bytes;
    }

    void add(Recipe recipe) {
        all.add(recipe);
    }

    /** Computes those of these values that are not, for what is done next needs them. */
    void require(long... ids) throws InterruptedException {
        Map<Recipe, Set<Deferred>> wanted = new LinkedHashMap<>();
        for (long id : ids) {
            if (values.get(id) instanceof Deferred value && !value.isMade()) {
                wanted.computeIfAbsent(value.recipe(), _ -> new LinkedHashSet<>())
                        .add(value);
            }
        }
        for (Map.Entry<Recipe, Set<Deferred>> entry : wanted.entrySet()) {
            Recipe recipe = entry.getKey();
            // Who asks twice will ask for the rest, and each time the instructions before would run again.
            compute(recipe, recipe.asked() ? recipe.open() : entry.getValue());
        }
        if (!wanted.isEmpty()) {
            settle();
        }
        replace(ids);
    }

    /** From here on the session has what they have become. */
    private void replace(long... ids) {
        for (long id : ids) {
            if (values.get(id) instanceof Deferred value && value.isMade()) {
                Value made = value.made();
                value.release();
                values.replace(id, made);
            }
        }
    }

    /**
     * Before a segment takes its inputs: computes what it needs, and what would hold more without those that it is the last
     * to use.
     */
    void prepare(Structure structure, long[] inputs) throws InterruptedException {
        require(inputs);
        if (all.isEmpty()) {
            return;
        }
        List<Storage> leaving = new ArrayList<>();
        for (int input = 0; input < inputs.length; input++) {
            if (structure.isDying(input) && values.get(inputs[input]) instanceof Value.Present present) {
                present.storage().expectsToLose(1);
                leaving.add(present.storage());
            }
        }
        try {
            settle();
        } finally {
            leaving.forEach(storage -> storage.expectsToLose(-1));
        }
    }

    /** Computes what holds more than it would take, as far as there is room. */
    void settle() throws InterruptedException {
        all.removeIf(Recipe::isClosed);
        for (Recipe recipe : List.copyOf(all)) {
            long bytes = recipe.bytes();
            if (recipe.holdsTooMuch() && memory.available(bytes) >= bytes) {
                recipe.asked();
                compute(recipe, recipe.open());
            }
        }
    }

    private void compute(Recipe recipe, Collection<Deferred> wanted) throws InterruptedException {
        List<Deferred> inOrder = wanted.stream()
                .sorted(Comparator.comparingInt(Deferred::number))
                .toList();
        Value[] made = runner.run(recipe, recipe.graph(inOrder));
        for (int position = 0; position < made.length; position++) {
            inOrder.get(position).become(made[position]);
        }
        all.removeIf(Recipe::isClosed);
    }

    void clear() {
        all.clear();
    }
}
