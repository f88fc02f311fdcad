package dev.outpost.system.backend.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One step of a history of real processes. Numbers refer to things by their position, modulo their count. */
sealed interface ProcessStep {
    record Wait(int millis) implements ProcessStep {}

    record Start() implements ProcessStep {}

    record Stop(int machine) implements ProcessStep {}

    record Submit(int retries, int seconds, int code) implements ProcessStep {}

    record Cancel(int job) implements ProcessStep {}

    record SetPool(int size) implements ProcessStep {}

    /** A budget that ends machines; none if it is 0. */
    record SetBudget(int seconds) implements ProcessStep {}

    record KillReplica(int replica) implements ProcessStep {}

    record StartReplica(int replica) implements ProcessStep {}

    /** A replica is paused for a while. */
    record StallReplica(int replica, int millis) implements ProcessStep {}

    record KillDatabase(int millis) implements ProcessStep {}

    record KillWorker() implements ProcessStep {}

    record StartWorker() implements ProcessStep {}

    record KillMachine(int machine) implements ProcessStep {}

    record KillRunner(int machine) implements ProcessStep {}

    /** The backend is cut off from all, or reachable again. */
    record Cut(boolean isCut) implements ProcessStep {}

    /** The database's clock jumps an hour ahead. */
    record StepClock() implements ProcessStep {}

    static List<ProcessStep> draw(long seed, int count) {
        Random random = new Random(seed);
        List<ProcessStep> steps = new ArrayList<>();
        while (steps.size() < count) {
            steps.add(draw(random));
            steps.add(new Wait(random.nextInt(200, 1_500)));
        }
        return List.copyOf(steps);
    }

    private static ProcessStep draw(Random random) {
        int any = random.nextInt(1_000);
        return switch (random.nextInt(24)) {
            case 0, 1, 2, 3 -> new Start();
            case 4, 5 -> new Stop(any);
            case 6, 7, 8 -> new Submit(any % 3, random.nextInt(1, 8), any % 4 == 0 ? 1 : 0);
            case 9 -> new Cancel(any);
            case 10 -> new SetPool(any % 2);
            case 11 -> new SetBudget(any % 3 == 0 ? 0 : random.nextInt(60, 600));
            case 12, 13 -> new KillReplica(any % 2);
            case 14, 15 -> new StartReplica(any % 2);
            case 16 -> new StallReplica(any % 2, random.nextInt(500, 5_000));
            case 17 -> new KillDatabase(random.nextInt(0, 3_000));
            case 18 -> new KillWorker();
            case 19 -> new StartWorker();
            case 20 -> new KillMachine(any);
            case 21 -> new KillRunner(any);
            case 22 -> new Cut(any % 2 == 0);
            default -> any % 4 == 0 ? new StepClock() : new Wait(random.nextInt(1_000, 6_000));
        };
    }
}
