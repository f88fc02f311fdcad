package dev.outpost.backend.faults;

/**
 * One step of a history: an operation of a client, work of a replica, time, or a fault. Numbers refer to things by their position, such as
 * the third machine that runs, modulo their count; so a step stays valid whichever other steps are left out.
 */
sealed interface HistoryStep {
    // ---- time and work

    /** Time passes, and no loop of a replica runs. */
    record Advance(int seconds) implements HistoryStep {}

    /** All loops of one replica run once. */
    record Round(int replica) implements HistoryStep {}

    /** One loop of one replica runs once. */
    record Work(int replica, BackendReplica.Loop loop) implements HistoryStep {}

    /** Time passes in steps of half a minute, and after each step a replica runs its loops. */
    record Pass(int minutes) implements HistoryStep {}

    // ---- clients

    /**
     * A client requests a machine.
     *
     * @param isWarm true if a machine of the pool is acceptable
     * @param lifeMinutes its longest life; 0 if it lives until it is ended
     */
    record Start(int organisation, boolean isWarm, int lifeMinutes) implements HistoryStep {}

    /** The client of a machine requests its end. */
    record Stop(int machine) implements HistoryStep {}

    /** The client of a machine disappears without ending it. */
    record Leave(int machine) implements HistoryStep {}

    record Submit(int organisation, int retries, int seconds, int code) implements HistoryStep {}

    record Cancel(int job) implements HistoryStep {}

    record Deploy(int organisation, int max) implements HistoryStep {}

    record Demand(int deployment, int requests) implements HistoryStep {}

    record Undeploy(int deployment) implements HistoryStep {}

    /** A budget of an organisation that ends its machines; none if the minutes are 0. */
    record SetBudget(int organisation, int minutes) implements HistoryStep {}

    /** How many machines the pool keeps. */
    record SetPool(int size) implements HistoryStep {}

    // ---- faults

    /** A replica is killed at a point, counted from now, before or after a commit or a call. */
    record Kill(int replica, int points) implements HistoryStep {}

    record Revive(int replica) implements HistoryStep {}

    /** A call or a commit of a replica takes so long that the next steps run in the meantime. */
    record Pause(int replica, int points, int steps) implements HistoryStep {}

    /** The database is killed at a commit, and the replica does not know whether it was committed. */
    record KillDatabase(int replica, int commits, boolean isCommitted) implements HistoryStep {}

    /** The database's disk becomes full, or has room again. */
    record Disk(boolean isFull) implements HistoryStep {}

    /** The network between a cluster and everything else is cut or restored. */
    record Cut(int cluster, boolean isCut) implements HistoryStep {}

    /** The answers of the next calls of a cluster are lost; the calls are carried out. */
    record LoseAnswers(int cluster, int calls) implements HistoryStep {}

    record KillMachine(int machine) implements HistoryStep {}

    /** The process that runs a job's program is killed, and the program with it. */
    record KillRunner(int machine) implements HistoryStep {}

    /** The cluster cannot reach a machine for a while; the machine continues to run. */
    record LoseNode(int machine, int seconds) implements HistoryStep {}

    /** A host loses its power: all its machines stop at once and leave no trace. */
    record KillHost(int cluster) implements HistoryStep {}

    /** The database's clock jumps. */
    record StepClock(int minutes) implements HistoryStep {}

    /** The clock of a cluster jumps. */
    record StepHostClock(int cluster, int minutes) implements HistoryStep {}

    /** Returns true if the step is a fault. */
    default boolean isFault() {
        return switch (this) {
            case Advance it -> false;
            case Round it -> false;
            case Work it -> false;
            case Pass it -> false;
            case Start it -> false;
            case Stop it -> false;
            case Leave it -> false;
            case Submit it -> false;
            case Cancel it -> false;
            case Deploy it -> false;
            case Demand it -> false;
            case Undeploy it -> false;
            case SetBudget it -> false;
            case SetPool it -> false;
            case Kill it -> true;
            case Revive it -> false;
            case Pause it -> true;
            case KillDatabase it -> true;
            case Disk it -> it.isFull();
            case Cut it -> it.isCut();
            case LoseAnswers it -> true;
            case KillMachine it -> true;
            case KillRunner it -> true;
            case LoseNode it -> true;
            case KillHost it -> true;
            case StepClock it -> true;
            case StepHostClock it -> true;
        };
    }
}
