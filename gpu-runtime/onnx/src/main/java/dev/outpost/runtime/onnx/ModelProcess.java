package dev.outpost.runtime.onnx;

import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The runtime's side of the process in which the models of a session are open. It handles one request at a time. The process ends some
 * time after the last model was closed, or when a model crashes it; later requests are refused. Thread-safe.
 */
final class ModelProcess {
    /** The time for which a process without models stays, since the next model may be opened soon. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private static final int KILLED = 128 + 9;

    private final ChildProcess child;
    private final ModelWire wire;
    /** Held from a request until its answer. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Held while a run is written, and while it is stopped. */
    private final ReentrantLock sending = new ReentrantLock();
    /** True while a run has no answer yet. Guarded by {@link #sending}. */
    private boolean isRunning;

    /** Guards the number of models, and whether further ones are accepted. */
    private final ReentrantLock counting = new ReentrantLock();

    private final Queue<Integer> closed = new ConcurrentLinkedQueue<>();
    private int models = 1;
    private boolean isLeft;
    private int nextNumber;

    ModelProcess(ChildProcess child) {
        this.child = child;
        this.wire = new ModelWire(child.channel());
    }

    /** Starts the process with a reservation for a first model. */
    static ModelProcess start() {
        try {
            return new ModelProcess(ChildProcess.start());
        } catch (IOException failure) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "model_open: the process of the session's models: " + failure.getMessage(),
                    failure);
        }
    }

    /** Reserves the process for a model that is about to be opened. Returns false if it has ended or is about to end. */
    boolean reserve() {
        counting.lock();
        try {
            if (isLeft || !child.isAlive()) {
                return false;
            }
            models++;
            return true;
        } finally {
            counting.unlock();
        }
    }

    /** Releases the reservation of a model that was closed or not opened. */
    void release() {
        counting.lock();
        try {
            models--;
            if (models == 0) {
                ModelTimer.after(IDLE, this::leave);
            }
        } finally {
            counting.unlock();
        }
    }

    private void leave() {
        counting.lock();
        try {
            if (models > 0) {
                return;
            }
            isLeft = true;
        } finally {
            counting.unlock();
        }
        child.close();
    }

    // ---- opening

    /** @param atMost the longest time that opening may take */
    OpenModel open(ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options, Duration atMost) {
        lock.lock();
        ModelTimer.Watch watch = ModelTimer.after(atMost, child::destroy);
        try {
            int number = nextNumber++;
            List<ModelValue> values = List.copyOf(weights.values());
            reportClosed();
            wire.write(ModelWire.OPEN, head -> {
                head.writeInt(number);
                head.writeBoolean(options.isOnGpu());
                head.writeBoolean(options.isOptimized());
                head.writeInt(model.remaining());
                head.writeInt(weights.size());
                for (String name : weights.keySet()) {
                    head.writeUTF(name);
                }
                ModelWire.writeTypes(head, values);
            });
            wire.write(model);
            for (ModelValue value : values) {
                wire.write(value.elements());
            }
            requireDone();
            return new Hosted(number);
        } catch (IOException failure) {
            throw endedWhileOpening(atMost, failure);
        } finally {
            watch.close();
            lock.unlock();
        }
    }

    private OutpostException endedWhileOpening(Duration atMost, IOException cause) {
        int status = child.awaitEnd();
        String sentence = "model_open: ONNX Runtime ended with this model, status " + status + ": ";
        return status == KILLED
                ? new OutpostException(
                        FaultKind.RESOURCES,
                        sentence + "it took more memory than the machine has, or more than " + atMost.toSeconds()
                                + " s",
                        cause)
                : new OutpostException(FaultKind.USER, sentence + "it is damaged", cause);
    }

    // ---- running

    private void run(int number, List<ModelValue> inputs, List<ModelValue> outputs, BooleanSupplier isStopped) {
        lock.lock();
        // The watcher also ends a process that reads no inputs or writes no outputs, since a model may have taken it
        // over.
        try (StopWatcher watcher = StopWatcher.start(isStopped, this::stopSoon, child::destroy)) {
            ask(number, inputs, outputs);
            if (isStopped.getAsBoolean()) {
                stopSoon();
            }
            try {
                requireDone();
            } finally {
                setRunning(false);
            }
            for (ModelValue output : outputs) {
                wire.readInto(output.elements());
            }
        } catch (IOException failure) {
            throw endedWhileRunning(isStopped, failure);
        } finally {
            lock.unlock();
        }
    }

    private void ask(int number, List<ModelValue> inputs, List<ModelValue> outputs) throws IOException {
        sending.lock();
        try {
            reportClosed();
            wire.write(ModelWire.RUN, head -> {
                head.writeInt(number);
                ModelWire.writeTypes(head, inputs);
                ModelWire.writeTypes(head, outputs);
            });
            for (ModelValue input : inputs) {
                wire.write(input.elements());
            }
            isRunning = true;
        } finally {
            sending.unlock();
        }
    }

    private void setRunning(boolean running) {
        sending.lock();
        try {
            isRunning = running;
        } finally {
            sending.unlock();
        }
    }

    /** Stops the run on a thread of its own: the calling thread watches the processes of all sessions and must not wait. */
    private void stopSoon() {
        Thread.ofVirtual().name("outpost-model-stop").start(this::stop);
    }

    /** Stops the run. Nothing else is written between a request and its answer. */
    private void stop() {
        sending.lock();
        try {
            if (isRunning) {
                wire.write(ModelWire.STOP, head -> {});
            }
        } catch (IOException ignored) {
            // Ignored: the thread that waits for the answer reports the failure.
        } finally {
            sending.unlock();
        }
    }

    private OutpostException endedWhileRunning(BooleanSupplier isStopped, IOException cause) {
        int status = child.awaitEnd();
        return isStopped.getAsBoolean()
                ? new OutpostException(FaultKind.RESOURCES, "model_call: the run was stopped at its time limit", cause)
                : new OutpostException(
                        FaultKind.EXTERNAL,
                        "model_call: ONNX Runtime ended with the models of this session, status " + status
                                + (status == KILLED
                                        ? ": they took more memory than the machine has"
                                        : ": one of them is damaged, or its input crashed it")
                                + "; open them again",
                        cause);
    }

    // ---- both

    private void requireDone() throws IOException {
        DataInputStream head = wire.read();
        if (head.readByte() == ModelWire.REFUSED) {
            throw new OutpostException(FaultKind.ofCode(head.readInt()), head.readUTF());
        }
    }

    private void close(int number) {
        closed.add(number);
        // If the lock is held, a request is under way. That request or the next one reports the closed models.
        if (lock.tryLock()) {
            try {
                reportClosed();
            } catch (IOException ignored) {
                // Ignored: the models ended with the process.
            } finally {
                lock.unlock();
            }
        }
        release();
    }

    private void reportClosed() throws IOException {
        for (Integer number = closed.poll(); number != null; number = closed.poll()) {
            int next = number;
            wire.write(ModelWire.CLOSE, head -> head.writeInt(next));
        }
    }

    /** A model in the process. */
    private final class Hosted implements OpenModel {
        private final int number;

        Hosted(int number) {
            this.number = number;
        }

        @Override
        public void run(List<ModelValue> inputs, List<ModelValue> outputs, BooleanSupplier isStopped) {
            ModelProcess.this.run(number, inputs, outputs, isStopped);
        }

        @Override
        public void close() {
            ModelProcess.this.close(number);
        }
    }
}
