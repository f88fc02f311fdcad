package dev.outpost.backend.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The order in which requests get machines. The organisation with the smallest sum of recent and present use comes
 * first. Within an organisation, projects are ordered by priority, then by recent and present use, then by age. Each
 * admission counts as use immediately, so a burst of requests does not overtake a single request of another project or
 * organisation.
 */
public final class FairShare {
    private static final double LN2 = Math.log(2);
    private static final Comparator<Waiting> BY_AGE =
            Comparator.comparing(Waiting::created).thenComparing(Waiting::id);

    private final Duration halfLife;

    /** @param halfLife the age at which use counts half */
    public FairShare(Duration halfLife) {
        this.halfLife = halfLife;
    }

    /**
     * A waiting request.
     *
     * @param priority the priority of its project within the organisation
     */
    public record Waiting(
            UUID id,
            String organisation,
            String project,
            String gpu,
            boolean isOverQuota,
            int priority,
            int gpus,
            Instant created) {
        /** Returns the account by which shares are counted. */
        public String account() {
            return organisation + "/" + project;
        }
    }

    /** The use of a number of GPUs, from {@code from} (inclusive) to {@code to} (exclusive). */
    public record Use(Instant from, Instant to, int gpus) {}

    /** The use of machines by a project: GPU seconds that decay, and GPUs that it holds now. */
    public record Standing(double decayedSeconds, int gpusNow) {
        static final Standing NONE = new Standing(0, 0);

        Standing plus(int gpus) {
            return new Standing(decayedSeconds, gpusNow + gpus);
        }
    }

    /** Returns the GPU seconds of uses, weighted by age: halved for each half-life. */
    public double decayed(List<Use> uses, Instant now) {
        return uses.stream().mapToDouble(use -> decayed(use, now)).sum();
    }

    /** Returns GPU seconds weighted for the present time, from GPU seconds that were weighted for an earlier time. */
    public double decayed(double seconds, Instant weighed, Instant now) {
        return weighed.isBefore(now) ? seconds * weight(Duration.between(weighed, now)) : seconds;
    }

    /** Returns the GPU seconds of one use, weighted by age: the integral of the weight over the time of use. */
    private double decayed(Use use, Instant now) {
        double scale = seconds(halfLife) / LN2;
        double endWeight = weight(Duration.between(use.to(), now));
        double beginWeight = weight(Duration.between(use.from(), now));
        return use.gpus() * scale * (endWeight - beginWeight);
    }

    private double weight(Duration age) {
        return Math.exp(-seconds(age) * LN2 / seconds(halfLife));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    /**
     * Requests in the order of their turns. Finds the next one after each admission, because an admitted machine counts immediately. Not
     * thread-safe.
     */
    public final class Turns {
        private final Map<String, Standing> standings;
        private final Map<String, Organisation> organisations = new HashMap<>();
        private final PriorityQueue<Organisation> order = new PriorityQueue<>();

        private Turns(List<Waiting> waiting, Map<String, Standing> known) {
            standings = new HashMap<>(known);
            Map<String, Double> loads = new HashMap<>();
            known.forEach((account, standing) ->
                    loads.merge(account.substring(0, account.indexOf('/')), load(standing), Double::sum));
            waiting.stream()
                    .collect(Collectors.groupingBy(Waiting::organisation))
                    .forEach((name, requests) -> organisations.put(
                            name, new Organisation(name, requests, loads.getOrDefault(name, 0.0), standings)));
            order.addAll(organisations.values());
        }

        /** Returns the next request; empty if no request is left. */
        public Optional<Waiting> next() {
            Organisation first = order.poll();
            if (first == null) {
                return Optional.empty();
            }
            Waiting next = first.take();
            if (!first.byAge.isEmpty()) {
                order.add(first);
            }
            return Optional.of(next);
        }

        /** Records that a request was admitted. */
        public void admitted(Waiting one) {
            Standing standing =
                    standings.getOrDefault(one.account(), Standing.NONE).plus(one.gpus());
            standings.put(one.account(), standing);
            Organisation organisation = organisations.get(one.organisation());
            boolean isWaiting = order.remove(organisation);
            organisation.load += one.gpus() * seconds(halfLife);
            organisation.setLoad(one.account(), load(standing));
            if (isWaiting) {
                order.add(organisation);
            }
        }
    }

    /** The requests of one organisation. The priorities of its projects order only these projects. */
    private final class Organisation implements Comparable<Organisation> {
        private final String name;
        private final Map<String, Project> projects = new HashMap<>();
        private final PriorityQueue<Project> order = new PriorityQueue<>();
        private final NavigableSet<Waiting> byAge = new TreeSet<>(BY_AGE);
        private double load;

        Organisation(String name, List<Waiting> waiting, double load, Map<String, Standing> standings) {
            this.name = name;
            this.load = load;
            byAge.addAll(waiting);
            waiting.stream()
                    .collect(Collectors.groupingBy(Waiting::account))
                    .forEach((account, requests) -> projects.put(
                            account, new Project(requests, load(standings.getOrDefault(account, Standing.NONE)))));
            order.addAll(projects.values());
        }

        Waiting take() {
            Project first = order.remove();
            Waiting next = first.requests.removeFirst();
            byAge.remove(next);
            if (!first.requests.isEmpty()) {
                order.add(first);
            }
            return next;
        }

        void setLoad(String account, double now) {
            Project project = projects.get(account);
            boolean isWaiting = order.remove(project);
            project.load = now;
            if (isWaiting) {
                order.add(project);
            }
        }

        /** True for the organisation of pools, whose machines come after every other request. */
        private boolean isPool() {
            return name.equals(Pool.ORGANISATION);
        }

        @Override
        public int compareTo(Organisation other) {
            return Comparator.comparing(Organisation::isPool)
                    .thenComparingDouble(organisation -> organisation.load)
                    .thenComparing(organisation -> organisation.byAge.first(), BY_AGE)
                    .compare(this, other);
        }
    }

    /** The requests of one project, in their order. */
    private static final class Project implements Comparable<Project> {
        private final ArrayDeque<Waiting> requests;
        private double load;

        Project(List<Waiting> waiting, double load) {
            this.load = load;
            requests = waiting.stream()
                    .sorted(Comparator.comparingInt((Waiting one) -> -one.priority())
                            .thenComparing(BY_AGE))
                    .collect(Collectors.toCollection(ArrayDeque::new));
        }

        @Override
        public int compareTo(Project other) {
            return Comparator.comparingInt(
                            (Project project) -> -project.requests.getFirst().priority())
                    .thenComparingDouble(project -> project.load)
                    .thenComparing(project -> project.requests.getFirst(), BY_AGE)
                    .compare(this, other);
        }
    }

    /** @param standings the standings of all accounts of the waiting organisations, including projects that do not wait */
    public Turns turns(List<Waiting> waiting, Map<String, Standing> standings) {
        return new Turns(waiting, standings);
    }

    /** Returns all waiting requests in the order of their turns, as if each of them were admitted. */
    public List<Waiting> order(List<Waiting> waiting, Map<String, Standing> standings) {
        Turns turns = turns(waiting, standings);
        List<Waiting> ordered = new ArrayList<>();
        for (Optional<Waiting> next = turns.next(); next.isPresent(); next = turns.next()) {
            ordered.add(next.get());
            turns.admitted(next.get());
        }
        return ordered;
    }

    /** Returns the share of a project. A GPU that is in use counts like the use of one GPU for a half-life. */
    private double load(Standing standing) {
        return standing.decayedSeconds() + standing.gpusNow() * seconds(halfLife);
    }
}
