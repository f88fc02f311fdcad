package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;

/** Exchanges between GPUs by a library that appends to the queue of kernels. */
final class CudaCollectives implements DeviceCollectives {
    private final Device device;
    private final CollectiveLibrary library;

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
    public DeviceCommunicator join(byte[] id, String key, int size, int rank) {
        return new CudaCommunicator(device, library, library.join(id, key, size, rank), rank);
    }
}
