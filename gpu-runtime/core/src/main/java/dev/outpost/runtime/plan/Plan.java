package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.rewrite.Guard;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that a structure's runs have in common: what is launched, in which order, and after which launch each value dies.
 * Immutable but for its {@link #stats}; many sessions may use one at once.
 */
public final class Plan {
    public static final int NO_DONOR = -1;

    private final List<Task> tasks;
    private final int[] replacements;
    private final List<Guard> guards;
    private final int[] dyingAtStart;
    private final int[][] dyingAfter;
    private final int[][] donors;
    private final MemoryPlan memory;
    private final List<LaunchGroup> groups;
    private final LaunchGroup[] groupAt;
    private final LaunchGroup[] exchangingGroupAt;
    private final Arena arena;
    private final boolean complete;
    private final int recipes;
    private final RecomputeStats stats = new RecomputeStats();

    /** @param complete whether everything compiled */
    Plan(RewriteContext context, Arrangement arrangement, boolean complete) {
        this.tasks = List.copyOf(arrangement.tasks());
        this.replacements = context.replacements();
        this.guards = List.copyOf(context.assumptions());
        this.dyingAtStart = arrangement.liveness().dyingAtStart();
        this.dyingAfter = arrangement.liveness().dyingAfter(tasks.size());
        this.donors = arrangement.donations().byTask();
        this.memory = arrangement.memory();
        this.groupAt = byFirst(arrangement.groups());
        this.exchangingGroupAt = byFirst(arrangement.exchanging());
        this.groups = Stream.concat(arrangement.groups().stream(), arrangement.exchanging().stream())
                .toList();
        this.arena = arrangement.arena();
        this.complete = complete;
        this.recipes =
                (int) tasks.stream().filter(task -> task.deferred().length > 0).count();
    }

    private LaunchGroup[] byFirst(List<LaunchGroup> groups) {
        LaunchGroup[] byFirst = new LaunchGroup[tasks.size()];
        groups.forEach(group -> byFirst[group.first()] = group);
        return byFirst;
    }

    /** In the order in which they run. */
    public List<Task> tasks() {
        return tasks;
    }

    /** Where a value is found: its own place, or that of the value that stands for it. */
    public int slot(int value) {
        return replacements[value];
    }

    /** Whether a run's data are what the plan was made for. */
    boolean fits(Graph graph) {
        for (Guard guard : guards) {
            if (!guard.holdsFor(graph)) {
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
    public List<LaunchGroup> groups() {
        return groups;
    }

    /** The unit that begins with a task; null where none does. */
    public LaunchGroup groupAt(int task) {
        return groupAt[task];
    }

    /** As {@link #groupAt}, of units that may have exchanges, where all machines of a group launch those at once. */
    public LaunchGroup exchangingGroupAt(int task) {
        return exchangingGroupAt[task];
    }

    /** Where what is made and given back lies; null where there are no units. */
    public Arena arena() {
        return arena;
    }

    /** The number of its tasks that leave values to rematerialize. */
    public int rematerializations() {
        return recipes;
    }

    /** The rematerializations of its values that were requested. */
    public RecomputeStats demand() {
        return stats;
    }

    /** Whether everything compiled. */
    boolean isComplete() {
        return complete;
    }
}
