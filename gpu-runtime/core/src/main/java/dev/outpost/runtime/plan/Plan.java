package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.rewrite.Guard;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that a structure's runs have in common: what is launched, in which order, and after which launch each value dies.
 * Immutable but for its {@link #demand}; many sessions may use one at once.
 */
public final class Plan {
    public static final int NO_DONOR = -1;

    private final List<Task> tasks;
    private final int[] standIns;
    private final List<Guard> assumptions;
    private final int[] dyingAtStart;
    private final int[][] dyingAfter;
    private final int[][] donors;
    private final MemoryPlan memory;
    private final List<LaunchGroup> units;
    private final LaunchGroup[] unitAt;
    private final LaunchGroup[] exchangingUnitAt;
    private final Arena arena;
    private final boolean complete;
    private final int recipes;
    private final RecomputeStats demand = new RecomputeStats();

    /** @param complete whether everything compiled */
    Plan(RewriteContext draft, Arrangement arrangement, boolean complete) {
        this.tasks = List.copyOf(arrangement.tasks());
        this.standIns = draft.standIns();
        this.assumptions = List.copyOf(draft.assumptions());
        this.dyingAtStart = arrangement.liveness().dyingAtStart();
        this.dyingAfter = arrangement.liveness().dyingAfter(tasks.size());
        this.donors = arrangement.donations().byTask();
        this.memory = arrangement.memory();
        this.unitAt = byFirst(arrangement.units());
        this.exchangingUnitAt = byFirst(arrangement.exchanging());
        this.units = Stream.concat(arrangement.units().stream(), arrangement.exchanging().stream())
                .toList();
        this.arena = arrangement.arena();
        this.complete = complete;
        this.recipes =
                (int) tasks.stream().filter(task -> task.deferred().length > 0).count();
    }

    private LaunchGroup[] byFirst(List<LaunchGroup> groups) {
        LaunchGroup[] byFirst = new LaunchGroup[tasks.size()];
        groups.forEach(unit -> byFirst[unit.first()] = unit);
        return byFirst;
    }

    /** In the order in which they run. */
    public List<Task> tasks() {
        return tasks;
    }

    /** Where a value is found: its own place, or that of the value that stands for it. */
    public int slot(int value) {
        return standIns[value];
    }

    /** Whether a run's data are what the plan was made for. */
    boolean fits(Graph graph) {
        for (Guard assumption : assumptions) {
            if (!assumption.holdsFor(graph)) {
                return false;
            }
        }
        return true;
    }

    /** The memory that its runs hold at once, known before one runs. */
    public MemoryPlan memory() {
        return memory;
    }

    /** Values that nothing uses, not even once. Callers do not change the array. */
    public int[] dyingAtStart() {
        return dyingAtStart;
    }

    /** Values that nobody needs after a task, by its place. Callers do not change the array. */
    public int[] dyingAfter(int task) {
        return dyingAfter[task];
    }

    /**
     * The value whose memory a result of a task may take, if nothing else lies there; {@link #NO_DONOR} where it
     * needs memory of its own.
     */
    public int donor(int task, int result) {
        return donors[task].length == 0 ? NO_DONOR : donors[task][result];
    }

    /** Tasks that may be launched as one, in each way; none where the engine runs each by itself. */
    public List<LaunchGroup> units() {
        return units;
    }

    /** The unit that begins with a task; null where none does. */
    public LaunchGroup unitAt(int task) {
        return unitAt[task];
    }

    /** As {@link #unitAt}, of units that may have exchanges, where all machines of a group launch those at once. */
    public LaunchGroup exchangingUnitAt(int task) {
        return exchangingUnitAt[task];
    }

    /** Where what is made and given back lies; null where there are no units. */
    public Arena arena() {
        return arena;
    }

    /** How many of its tasks leave recipes. */
    public int recipes() {
        return recipes;
    }

    /** Which of its recipes are asked for. */
    public RecomputeStats demand() {
        return demand;
    }

    /** Whether everything compiled. */
    boolean isComplete() {
        return complete;
    }
}
