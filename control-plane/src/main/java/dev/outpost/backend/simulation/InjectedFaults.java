package dev.outpost.backend.simulation;

import java.time.Duration;

/**
 * What goes wrong, and how often.
 *
 * @param failedStarts the part of machines that never serve
 * @param crashesAnHour of one machine that serves
 * @param lostNodesAnHour of one machine that serves: it is out of sight for a while, and half of them never come back
 * @param lostAnswers the part of calls that a cluster carries out without an answer
 * @param missedNews the part of changes that a watch does not tell
 * @param killedReplicas the part of rows whose replica of the backend is killed before it asks the cluster
 * @param outagesADay of one cluster
 * @param outage how long one lasts
 */
record InjectedFaults(
        double failedStarts,
        double crashesAnHour,
        double lostNodesAnHour,
        double lostAnswers,
        double missedNews,
        double killedReplicas,
        double outagesADay,
        Duration outage) {

    static final InjectedFaults NONE = new InjectedFaults(0, 0, 0, 0, 0, 0, 0, Duration.ZERO);

    static final InjectedFaults USUAL =
            new InjectedFaults(0.01, 0.01, 0.005, 0.01, 0.05, 0.01, 1, Duration.ofMinutes(10));

    static final InjectedFaults MANY = new InjectedFaults(0.05, 0.1, 0.05, 0.05, 0.2, 0.05, 6, Duration.ofMinutes(10));

    static InjectedFaults named(String name) {
        return switch (name) {
            case "none" -> NONE;
            case "usual" -> USUAL;
            case "many" -> MANY;
            default ->
                throw new IllegalArgumentException("--faults: expected none, usual or many, got \"" + name + "\"");
        };
    }
}
