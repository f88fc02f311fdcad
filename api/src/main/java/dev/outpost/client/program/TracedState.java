package dev.outpost.client.program;

import dev.outpost.client.numbers.StepCounter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/**
 * The effects of a traced function on Java: the facts that it relies on, the places and counters that it reads and changes, and its
 * updates. Used by the thread that traces.
 *
 * <p>Invariant: places and counters keep their values. Their new values are kept here.
 */
public final class TracedState implements HostState {
    private final ProgramRecorder program;
    private final TraceStart start;
    private final TracedNumbers numbers = new TracedNumbers();
    private final Map<Object, Supplier<?>> facts = new LinkedHashMap<>();
    private final Map<TensorRef<?>, TracedTensorRef<?>> places = new LinkedHashMap<>();
    private final Set<Object> updates = new LinkedHashSet<>();

    TracedState(ProgramRecorder program, TraceStart start) {
        this.program = program;
        this.start = start;
    }

    @Override
    public <K> void assume(K key, Function<K, ?> fact) {
        facts.putIfAbsent(key, () -> fact.apply(key));
    }

    @Override
    public <T> T outside(Supplier<T> body) {
        return program.outside(() -> start.surroundings().without(body));
    }

    @Override
    public void unlessTraced(Runnable action) {
        // A call of the program has the same effect without this action.
    }

    @Override
    public <T> T either(Supplier<T> plain, Supplier<T> traced) {
        return traced.get();
    }

    @Override
    public void refuseTraced(String op, String problem) {
        throw ProgramRecorder.refusal(op, problem);
    }

    // ---- places

    @Override
    public <T> T read(TensorRef<T> place) {
        return place.madeIn() == this ? place.held() : traced(place).current;
    }

    private <T> TracedTensorRef<T> traced(TensorRef<T> place) {
        TracedTensorRef<T> known = known(place);
        return known == null ? enter(place) : known;
    }

    @SuppressWarnings("unchecked") // The map's key is a place, and its value is a reference of the same type.
    private <T> TracedTensorRef<T> known(TensorRef<T> place) {
        return (TracedTensorRef<T>) places.get(place);
    }

    private <T> TracedTensorRef<T> enter(TensorRef<T> place) {
        TracedTensorRef<T> entered = new TracedTensorRef<>(place, true);
        if (place.held() != null) {
            entered.entry = program.input(new ProgramInput.Kept(place), place.heldType());
            entered.current = place.over(entered.entry);
        }
        places.put(place, entered);
        return entered;
    }

    @Override
    public <T> T write(TensorRef<T> place, T tensor) {
        if (place.madeIn() == this) {
            return EagerState.INSTANCE.write(place, tensor);
        }
        TracedTensorRef<T> known = known(place);
        TracedTensorRef<T> written = known == null ? new TracedTensorRef<>(place, false) : known;
        written.current = tensor;
        places.put(place, written);
        return null;
    }

    @Override
    public long nodesBefore() {
        return start.latestNode();
    }

    // ---- counts

    @Override
    public long count(StepCounter counter) {
        return counter.counted() + numbers.ahead(counter);
    }

    @Override
    public void advance(StepCounter counter, long more) {
        numbers.advance(counter, more);
    }

    @Override
    public Number number(StepCounter counter, Object name, LongToDoubleFunction formula) {
        return numbers.number(counter, name, formula);
    }

    @Override
    public <T> void updated(T update, Consumer<T> note) {
        updates.add(update);
    }

    /** Drops all references to places and updates from outside. */
    void forget() {
        facts.clear();
        places.clear();
        updates.clear();
    }

    // ---- results, after the function has run

    public TracedNumbers numbers() {
        return numbers;
    }

    /** Returns the places from outside, in the order of their first use. */
    public List<TracedTensorRef<?>> places() {
        return List.copyOf(places.values());
    }

    /** Returns the updates of this kind that the program makes. */
    public <T> List<T> updates(Class<T> kind) {
        return updates.stream().map(kind::cast).toList();
    }

    /** Returns the facts that each call must check again, with their values during tracing. */
    public Map<Supplier<?>, Object> facts() {
        Map<Supplier<?>, Object> known = new LinkedHashMap<>();
        facts.values().forEach(fact -> known.put(fact, fact.get()));
        return known;
    }
}
