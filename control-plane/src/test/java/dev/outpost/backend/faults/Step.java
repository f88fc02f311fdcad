package dev.outpost.backend.faults;

/**
 * One step of a history: an operation of a client, work of a replica, time, or a fault. Numbers name things by their order, such as the third
 * machine that runs, modulo how many there are; so a step has a meaning whichever other steps are left out.
 */
sealed interface Step {
    // ---- time and work

    /** Time goes by, and no loop of a replica runs. */
    record Advance(int seconds) implements Step {}

    /** All loops of one replica run once. */
    record Round(int replica) implements Step {}

    /** One loop of one replica runs once. */
    record Work(int replica, Replica.Loop loop) implements Step {}

    /** Time goes by in steps of half a minute, and after each one a replica runs its loops. */
    record Pass(int minutes) implements Step {}

    // ---- clients

    /**
     * A client asks for a machine.
     *
     * @param isWarm true if a machine of the pool would do
     * @param lifeMinutes how long it lives at the most; until it is ended if it is 0
     */
    record Start(int organisation, boolean isWarm, int lifeMinutes) implements Step {}

    /** The client of a machine asks for its end. */
    record Stop(int machine) implements Step {}

    /** The client of a machine disappears without a word. */
    record Leave(int machine) implements Step {}

    record Submit(int organisation, int retries, int seconds, int code) implements Step {}

    record Cancel(int job) implements Step {}

    record Deploy(int organisation, int most) implements Step {}

    record Demand(int deployment, int requests) implements Step {}

    record Undeploy(int deployment) implements Step {}

    /** A budget of an organisation that ends its machines; none if the minutes are 0. */
    record SetBudget(int organisation, int minutes) implements Step {}

    /** How many machines the pool keeps. */
    record SetPool(int size) implements Step {}

    // ---- faults

    /** A replica is killed at the next so many-th point before or after a commit or a call. */
    record Kill(int replica, int points) implements Step {}

    record Revive(int replica) implements Step {}

    /** A call or a commit of a replica takes so long that the next steps are done meanwhile. */
    record Pause(int replica, int points, int steps) implements Step {}

    /** The database is killed at a commit, and the replica does not know whether it was committed. */
    record KillDatabase(int replica, int commits, boolean isCommitted) implements Step {}

    /** The database's disk is full, or is not any more. */
    record Disk(boolean isFull) implements Step {}

    /** The network between a cluster and all others is cut, or is there again. */
    record Cut(int cluster, boolean isCut) implements Step {}

    /** The answers of the next calls of a cluster are lost; the calls are carried out. */
    record LoseAnswers(int cluster, int calls) implements Step {}

    record KillMachine(int machine) implements Step {}

    /** The process that runs a job's program is killed, and the program with it. */
    record KillRunner(int machine) implements Step {}

    /** The cluster does not hear of a machine for a while; the machine goes on. */
    record LoseNode(int machine, int seconds) implements Step {}

    /** A host loses its power: all its machines stop at once, and nothing is left of them. */
    record KillHost(int cluster) implements Step {}

    /** The database's clock jumps. */
    record StepClock(int minutes) implements Step {}

    /** The clock of a cluster jumps. */
    record StepHostClock(int cluster, int minutes) implements Step {}

    /** True if it is a fault. */
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
