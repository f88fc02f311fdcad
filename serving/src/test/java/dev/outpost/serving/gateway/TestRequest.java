package dev.outpost.serving.gateway;

import java.util.function.BooleanSupplier;

/** A request that may use all deployments, and whose client disconnects when the test wants it. */
final class TestRequest extends GatewayRequest {
    volatile boolean isGone;

    TestRequest() {
        super(null);
    }

    @Override
    BooleanSupplier watch(Runnable whenGone) {
        return () -> isGone;
    }
}
