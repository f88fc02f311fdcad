package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.rewrite.Guard;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * The plan for all runs of one structure: the launches, their order, and the launch after which each value dies. Immutable except for its
 * statistics of rematerializations. Many sessions may use one plan at the same time.
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

    /** @param complete true if everything compiled */
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

    /** Returns the tasks in the order in which they run. */
    public List<Task> tasks() {
        return tasks;
    }

    /** Returns the slot of a value: the value's number, or the number of the value that replaces it. */
    public int slot(int value) {
        return replacements[value];
    }

    /** Returns true if a run's data satisfy the guards of the plan. */
    boolean fits(Graph graph) {
        for (Guard guard : guards) {
            if (!guard.holdsFor(graph)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the memory that its runs hold at the same time. */
    public MemoryPlan memory() {
        return memory;
    }

    /** Returns the inputs that die and that no task uses. Callers must not change the array. */
    public int[] dyingAtStart() {
        return dyingAtStart;
    }

    /** Returns the values that no task needs after the task with this index. Callers must not change the array. */
    public int[] dyingAfter(int task) {
        return dyingAfter[task];
    }

    /**
     * Returns the value whose memory a result of a task may reuse if that memory has no other owner; {@link
     * #NO_DONOR} if the result needs new memory.
     */
    public int donor(int task, int result) {
        return donors[task].length == 0 ? NO_DONOR : donors[task][result];
    }

    /** Returns all launch groups, with and without exchanges; empty if the engine launches each task separately. */
    public List<LaunchGroup> groups() {
        return groups;
    }

    /** Returns the launch group that begins with a task; null if none does. */
    public LaunchGroup groupAt(int task) {
        return groupAt[task];
    }

    /** Works like {@link #groupAt}, for runs whose machines launch exchanges together with kernels. */
    public LaunchGroup exchangingGroupAt(int task) {
        return exchangingGroupAt[task];
    }

    /** Returns the arena of values that runs create and release; null if there are no launch groups. */
    public Arena arena() {
        return arena;
    }

    /** Returns the number of tasks of this plan that defer values. */
    public int rematerializations() {
        return recipes;
    }

    /** Statistics of the rematerializations that its runs requested. */
    public RecomputeStats demand() {
        return stats;
    }

    boolean isComplete() {
        return complete;
    }
}
