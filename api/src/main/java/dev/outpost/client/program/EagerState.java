package dev.outpost.client.program;

import dev.outpost.client.numbers.StepCounter;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/** The host state of code that is not traced: effects happen at once. */
final class EagerState implements HostState {
    static final EagerState INSTANCE = new EagerState();

    private EagerState() {}

    @Override
    public <K> void assume(K key, Function<K, ?> fact) {
        // Nothing is recorded for later.
    }

    @Override
    public <T> T outside(Supplier<T> body) {
        return body.get();
    }

    @Override
    public void unlessTraced(Runnable action) {
        action.run();
    }

    @Override
    public <T> T either(Supplier<T> plain, Supplier<T> traced) {
        return plain.get();
    }

    @Override
    public void refuseTraced(String op, String problem) {
        // Nothing is traced.
    }

    @Override
    public <T> T read(TensorRef<T> place) {
        return place.held();
    }

    @Override
    public <T> T write(TensorRef<T> place, T tensor) {
        T before = place.held();
        place.hold(tensor);
        return before;
    }

    @Override
    public long nodesBefore() {
        return 0;
    }

    @Override
    public long count(StepCounter counter) {
        return counter.counted();
    }

    @Override
    public void advance(StepCounter counter, long more) {
        counter.add(more);
    }

    @Override
    public Number number(StepCounter counter, Object name, LongToDoubleFunction formula) {
        return formula.applyAsDouble(counter.counted());
    }

    @Override
    public <T> void updated(T update, Consumer<T> note) {
        note.accept(update);
    }
}
