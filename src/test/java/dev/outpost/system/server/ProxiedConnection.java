package dev.outpost.system.server;

import dev.outpost.system.server.CuttingProxy.Direction;
import java.io.IOException;
import java.net.Socket;

/** A TCP connection that is passed on to another one. */
final class ProxiedConnection {
    private static final int BUFFER_BYTES = 16 << 10;

    private final CuttingProxy proxy;
    private final Socket client;
    private final Socket machine;
    private boolean isPaused;
    private boolean swallows;

    ProxiedConnection(CuttingProxy proxy, Socket client, Socket machine) {
        this.proxy = proxy;
        this.client = client;
        this.machine = machine;
    }

    ProxiedConnection start() {
        Thread.ofVirtual().start(() -> carry(Direction.TO_MACHINE, client, machine));
        Thread.ofVirtual().start(() -> carry(Direction.TO_CLIENT, machine, client));
        return this;
    }

    synchronized boolean isPaused() {
        return isPaused;
    }

    synchronized void resume() {
        isPaused = false;
        notifyAll();
    }

    synchronized void swallow() {
        swallows = true;
    }

    void halfClose(Direction direction) {
        try {
            (direction == Direction.TO_MACHINE ? machine : client).shutdownOutput();
        } catch (IOException ignored) {
            cut();
        }
    }

    void cut() {
        for (Socket socket : new Socket[] {client, machine}) {
            try {
                socket.close();
            } catch (IOException ignored) {
                // This is expected.
            }
        }
        resume();
        proxy.ended(this);
    }

    private void carry(Direction direction, Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!isSwallowing()) {
                    pass(direction, to, buffer, read);
                }
            }
            to.shutdownOutput();
        } catch (IOException ignored) {
            cut();
        }
    }

    private void pass(Direction direction, Socket to, byte[] bytes, int count) throws IOException {
        int passed = 0;
        while (passed < count) {
            int allowed = proxy.allowed(direction, count - passed);
            to.getOutputStream().write(bytes, passed, allowed);
            proxy.passed(direction, allowed);
            passed += allowed;
            if (passed < count) {
                pause();
            }
        }
    }

    private synchronized boolean isSwallowing() {
        return swallows;
    }

    /** Waits until the rest may pass; after a cut this does not matter any more. */
    private synchronized void pause() throws IOException {
        isPaused = proxy.pauses();
        while (isPaused) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
        }
    }
}
