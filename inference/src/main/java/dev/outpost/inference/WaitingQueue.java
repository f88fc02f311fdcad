package dev.outpost.inference;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The waiting texts. The highest priority is served first. Within a priority, preempted texts come before new texts, the oldest first. New
 * texts take turns by key. The key with the fewest tokens so far is next (the virtual token counter of Sheng et al., 2024). A key that
 * returns starts with at least the smallest count of the waiting keys, so it gains no credit while it is absent.
 *
 * <p>Not thread-safe.
 */
final class WaitingQueue {
    /** Costs that are charged to a key for a prompt token and for a generated token. */
    private static final long PROMPT_COST = 1;

    private static final long NEW_COST = 2;
    private static final int MAX_COUNTERS = 10_000;

    private final TreeSet<Sequence> preempted =
            new TreeSet<>(Comparator.<Sequence>comparingInt(sequence -> -sequence.request.priority())
                    .thenComparingLong(sequence -> sequence.number));
    private final TreeMap<Integer, LinkedHashMap<String, Deque<Sequence>>> byPriority =
            new TreeMap<>(Comparator.reverseOrder());
    private final Map<String, Long> given = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_COUNTERS;
        }
    };

    /** The number of waiting texts by key. */
    private final Map<String, Integer> waitingOfKey = new HashMap<>();

    private int size;

    int size() {
        return size;
    }

    void add(Sequence sequence) {
        String key = sequence.request.key();
        if (waitingOfKey.merge(key, 1, Integer::sum) == 1) {
            long min = waitingOfKey.keySet().stream()
                    .filter(other -> !other.equals(key))
                    .mapToLong(other -> given.getOrDefault(other, 0L))
                    .min()
                    .orElse(0);
            given.merge(key, min, Math::max);
        }
        byPriority
                .computeIfAbsent(sequence.request.priority(), priority -> new LinkedHashMap<>())
                .computeIfAbsent(key, name -> new ArrayDeque<>())
                .add(sequence);
        size++;
    }

    void addPreempted(Sequence sequence) {
        preempted.add(sequence);
        size++;
    }

    /** Returns the next text that may begin, without removing it. */
    Optional<Sequence> peek(Predicate<Sequence> mayBegin) {
        Optional<Sequence> back = preempted.isEmpty() ? Optional.empty() : Optional.of(preempted.first());
        for (Map.Entry<Integer, LinkedHashMap<String, Deque<Sequence>>> line : byPriority.entrySet()) {
            if (back.isPresent() && back.get().request.priority() >= line.getKey()) {
                return back;
            }
            Optional<Sequence> next = line.getValue().entrySet().stream()
                    .filter(entry -> entry.getValue().stream().anyMatch(mayBegin))
                    .min(Comparator.comparingLong(entry -> given.getOrDefault(entry.getKey(), 0L)))
                    .flatMap(entry -> entry.getValue().stream().filter(mayBegin).findFirst());
            if (next.isPresent()) {
                return next;
            }
        }
        return back;
    }

    /** Removes a text. Returns false if the text does not wait. */
    boolean remove(Sequence sequence) {
        if (preempted.remove(sequence)) {
            size--;
            return true;
        }
        LinkedHashMap<String, Deque<Sequence>> keys = byPriority.get(sequence.request.priority());
        Deque<Sequence> own = keys == null ? null : keys.get(sequence.request.key());
        if (own == null || !own.remove(sequence)) {
            return false;
        }
        size--;
        waitingOfKey.computeIfPresent(sequence.request.key(), (key, count) -> count == 1 ? null : count - 1);
        if (own.isEmpty()) {
            keys.remove(sequence.request.key());
        }
        if (keys.isEmpty()) {
            byPriority.remove(sequence.request.priority());
        }
        return true;
    }

    void chargePrompt(String key, int tokens) {
        given.merge(key, tokens * PROMPT_COST, Long::sum);
    }

    void chargeNew(String key) {
        given.merge(key, NEW_COST, Long::sum);
    }

    List<Sequence> all() {
        List<Sequence> all = new ArrayList<>(preempted);
        byPriority.values().forEach(keys -> keys.values().forEach(all::addAll));
        return all;
    }
}
