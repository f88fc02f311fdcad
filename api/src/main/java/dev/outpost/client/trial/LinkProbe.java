package dev.outpost.client.trial;

import dev.outpost.HostTensor;
import dev.outpost.PeerLinks;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Finds the machine that sends wrong values to others. It connects the machines in pairs. The machines of a pair send
 * each other values that this program knows. The machine that fails with the largest number of others is at fault.
 * Machines must not be members of other links meanwhile.
 */
public final class LinkProbe {
    /** The longest wait of a machine for known values. This program waits twice as long for the values that arrived. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The sizes of the values: the first is sent at once; for the second, the sender waits until the other machine asks for it. */
    private static final long[] SIZES = {16, 40_000};

    /** An exchange whose value did not arrive, or arrived with other elements. */
    private record Failure(ProbedMachine sender, ProbedMachine receiver, String problem) {
        boolean concerns(ProbedMachine probed) {
            return sender == probed || receiver == probed;
        }
    }

    private LinkProbe() {}

    /**
     * Tests all pairs of machines. Pairs without a common machine are tested at the same time. Waits, at most a few seconds for each
     * machine.
     *
     * @return empty if all values arrive
     */
    public static Optional<LinkDiagnosis> of(List<ProbedMachine> probed) {
        List<Failure> failures = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (List<List<ProbedMachine>> round : rounds(probed)) {
                List<CompletableFuture<List<Failure>>> tried = round.stream()
                        .map(pair -> CompletableFuture.supplyAsync(() -> both(pair.get(0), pair.get(1)), threads))
                        .toList();
                tried.forEach(each -> failures.addAll(each.join()));
            }
        }
        return verdict(probed, failures);
    }

    /** Returns all pairs in rounds, by the circle method of tournaments. The pairs of a round have no machine in common. */
    static <T> List<List<List<T>>> rounds(List<T> players) {
        int size = players.size() + players.size() % 2;
        List<List<List<T>>> rounds = new ArrayList<>();
        for (int round = 0; round < size - 1; round++) {
            List<List<T>> pairs = new ArrayList<>();
            for (int place = 0; place < size / 2; place++) {
                int one = seat(place, round, size);
                int other = seat(size - 1 - place, round, size);
                if (one < players.size() && other < players.size()) {
                    pairs.add(List.of(players.get(Math.min(one, other)), players.get(Math.max(one, other))));
                }
            }
            rounds.add(pairs);
        }
        return rounds;
    }

    /** Returns the player at a place in a round. The last player keeps its place, and the others rotate. */
    private static int seat(int place, int round, int size) {
        return place == size - 1 ? place : (place + round) % (size - 1);
    }

    private static List<Failure> both(ProbedMachine one, ProbedMachine other) {
        List<Failure> failures = new ArrayList<>();
        sent(one, other).ifPresent(problem -> failures.add(new Failure(one, other, problem)));
        sent(other, one).ifPresent(problem -> failures.add(new Failure(other, one, problem)));
        return failures;
    }

    /**
     * Returns the problem of sending from one machine to another; empty if there is none. Opens links for this pair only, because a failure
     * ends them.
     */
    private static Optional<String> sent(ProbedMachine from, ProbedMachine to) {
        try (PeerLinks links =
                PeerLinks.open(List.of(from.machine(), to.machine()), List.of(from.host(), to.host()), TIMEOUT)) {
            for (long size : SIZES) {
                Optional<String> problem = sent(links, from, to, size);
                if (problem.isPresent()) {
                    return problem;
                }
            }
            return Optional.empty();
        } catch (OutpostException failure) {
            return Optional.of(failure.getMessage());
        }
    }

    private static Optional<String> sent(PeerLinks links, ProbedMachine from, ProbedMachine to, long size) {
        try (Tensor given = from.machine().unscoped(() -> from.machine().arange(size));
                Tensor there = links.send(given, to.machine())) {
            // A machine that hangs does not answer at all.
            Optional<HostTensor> fetched = new AnswerTime(TIMEOUT.multipliedBy(2)).await(there.fetch());
            if (fetched.isEmpty()) {
                return Optional.of("nothing came within " + 2 * TIMEOUT.toMillis() + " ms");
            }
            long[] came = fetched.get().toLongArray();
            for (int place = 0; place < size; place++) {
                if (came.length != size || came[place] != place) {
                    return Optional.of("expected the integers below " + size + ", got " + came.length
                            + " elements that begin with " + Arrays.toString(Arrays.copyOf(came, 4)));
                }
            }
            return Optional.empty();
        } catch (ExecutionException failure) {
            return Optional.of(String.valueOf(failure.getCause().getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /**
     * Returns the machine that fails with the largest number of other machines. If several machines fail equally
     * often, it takes the one that failed most often as a sender, then the one with the least memory.
     */
    private static Optional<LinkDiagnosis> verdict(List<ProbedMachine> probed, List<Failure> failures) {
        return probed.stream()
                .filter(machine -> failures.stream().anyMatch(failure -> failure.concerns(machine)))
                .max(Comparator.comparingLong((ProbedMachine one) -> partners(one, probed, failures))
                        .thenComparingLong(machine -> failures.stream()
                                .filter(failure -> failure.sender() == machine)
                                .count())
                        .thenComparingLong(machine -> -machine.memoryBytes()))
                .map(machine -> new LinkDiagnosis(machine, reason(machine, failures)));
    }

    private static long partners(ProbedMachine one, List<ProbedMachine> probed, List<Failure> failures) {
        return probed.stream()
                .filter(other -> other != one
                        && failures.stream().anyMatch(failure -> failure.concerns(one) && failure.concerns(other)))
                .count();
    }

    private static String reason(ProbedMachine probed, List<Failure> failures) {
        Failure first = failures.stream()
                .filter(failure -> failure.sender() == probed)
                .findFirst()
                .orElseGet(() -> failures.stream()
                        .filter(failure -> failure.concerns(probed))
                        .findFirst()
                        .orElseThrow());
        return "known values did not arrive from " + first.sender().name() + " at "
                + first.receiver().name() + ": " + first.problem();
    }
}
