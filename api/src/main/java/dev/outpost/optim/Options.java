package dev.outpost.optim;

/** Names of options that several optimizers have. */
final class Options {
    static final String BETA1 = "beta1";
    static final String BETA2 = "beta2";
    static final String EPS = "eps";
    static final String MOMENTUM = "momentum";
    static final String MAXIMIZE = "maximize";

    private Options() {}
}
