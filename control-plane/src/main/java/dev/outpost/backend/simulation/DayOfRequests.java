package dev.outpost.backend.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Draws requests. More requests arrive by day than by night, a few projects send most requests, and most requests are
 * for a short time. Times of use are log-normal.
 *
 * @param machines the number of requests
 * @param projects the number of projects; ten of them form an organisation
 * @param time the time within which the requests arrive
 */
record DayOfRequests(int machines, int projects, Duration time) {
    private static final int PROJECTS_OF_ORGANISATION = 10;
    private static final double SWING = 0.8;
    private static final double MEDIAN_MINUTES = 20;
    private static final double SPREAD = 1.1;
    private static final double LONGEST_MINUTES = 8 * 60;
    private static final int SECONDS_A_MINUTE = 60;
    private static final double BUSY = 2;

    /** The share of requests for each kind of GPU. */
    private static final Map<String, Double> KINDS =
            new TreeMap<>(Map.of("A100", 0.2, "H100", 0.1, "L4", 0.3, "T4", 0.4));

    List<Arrival> draw(RandomGenerator random) {
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < machines; i++) {
            int project = project(random);
            arrivals.add(new Arrival(
                    moment(random),
                    "organisation-" + project / PROJECTS_OF_ORGANISATION,
                    "project-" + project,
                    kind(random),
                    use(random)));
        }
        arrivals.sort(Comparator.comparing(Arrival::at));
        return arrivals;
    }

    /** Draws a project. Low numbers are more likely, because the square of a uniform number is nearer to 0. */
    private int project(RandomGenerator random) {
        double even = random.nextDouble();
        return (int) (even * even * projects);
    }

    /** Draws a moment by rejection sampling. The rate is 1 minus a cosine wave whose period is the whole time. */
    private Duration moment(RandomGenerator random) {
        while (true) {
            double at = random.nextDouble();
            double rate = 1 - SWING * Math.cos(2 * Math.PI * at);
            if (random.nextDouble() * (1 + SWING) <= rate) {
                return Duration.ofMillis(Math.round(at * time.toMillis()));
            }
        }
    }

    private static String kind(RandomGenerator random) {
        double rest = random.nextDouble();
        for (Map.Entry<String, Double> kind : KINDS.entrySet()) {
            rest -= kind.getValue();
            if (rest < 0) {
                return kind.getKey();
            }
        }
        return "T4";
    }

    private static Duration use(RandomGenerator random) {
        double minutes = Math.min(LONGEST_MINUTES, MEDIAN_MINUTES * Math.exp(SPREAD * random.nextGaussian()));
        return Duration.ofSeconds(Math.max(1, Math.round(minutes * SECONDS_A_MINUTE)));
    }

    /** Returns twice the average number of used machines of each kind, so that machines are scarce only in the busiest hours. */
    static Map<String, Integer> room(List<Arrival> arrivals, Duration time) {
        Map<String, Double> used = new TreeMap<>();
        arrivals.forEach(one -> used.merge(one.gpu(), (double) one.use().toSeconds() / time.toSeconds(), Double::sum));
        Map<String, Integer> room = new TreeMap<>();
        used.forEach((gpu, machines) -> room.put(gpu, Math.max(2, (int) Math.ceil(machines * BUSY))));
        return room;
    }
}
