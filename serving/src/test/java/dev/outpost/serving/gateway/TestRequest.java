package dev.outpost.serving.gateway;

import java.util.function.BooleanSupplier;

/** A request that may use all deployments, and whose client goes when the test says so. */
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
