package dev.outpost.backend.simulation;

import java.time.Duration;

/**
 * The rates of simulated faults.
 *
 * @param failedStarts the fraction of machines that never serve
 * @param crashesAnHour crashes per hour of a serving machine
 * @param lostNodesAnHour the rate for a serving machine at which it is missing for a while; half of these machines
 *     never come back
 * @param lostAnswers the fraction of calls that a cluster carries out without an answer
 * @param missedNews the fraction of changes that a watch does not report
 * @param killedReplicas the fraction of due rows whose replica of the backend is killed before it calls the cluster
 * @param outagesADay outages per day of a cluster
 * @param outage the duration of an outage
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
