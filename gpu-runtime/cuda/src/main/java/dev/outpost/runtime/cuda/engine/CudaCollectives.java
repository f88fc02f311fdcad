package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Exchanges between GPUs by a library, which uses a separate queue. */
final class CudaCollectives implements DeviceCollectives {
    private final Device device;
    private final CollectiveLibrary library;
    private final AtomicBoolean isTaken = new AtomicBoolean();

    CudaCollectives(Device device, CollectiveLibrary library) {
        this.device = device;
        this.library = library;
    }

    @Override
    public String library() {
        return library.name();
    }

    @Override
    public String device() {
        return library.device();
    }

    @Override
    public byte[] drawId(String key) {
        return library.drawId(key);
    }

    @Override
    public boolean take() {
        return !isTaken.getAndSet(true);
    }

    @Override
    public void release() {
        isTaken.set(false);
    }

    @Override
    public DeviceCommunicator join(byte[] id, String key, int size, int rank, Duration timeout) {
        return new CudaCommunicator(device, library, library.join(id, key, size, rank, timeout), rank);
    }
}
