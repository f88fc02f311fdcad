/** Tensors on remote machines. */
module dev.outpost {
    requires transitive dev.outpost.protocol;
    requires transitive dev.outpost.provider;
    requires dev.outpost.channel;
    requires io.opentelemetry.context;
    requires org.slf4j;
    requires org.snakeyaml.engine;
    requires static java.desktop;
    requires static org.jspecify;

    exports dev.outpost;
    exports dev.outpost.autograd;
    exports dev.outpost.complex;
    exports dev.outpost.data;
    exports dev.outpost.distributions;
    exports dev.outpost.functional;
    exports dev.outpost.io;
    exports dev.outpost.linalg;
    exports dev.outpost.metrics;
    exports dev.outpost.nn;
    exports dev.outpost.nn.parametrize;
    exports dev.outpost.nn.summary;
    exports dev.outpost.ops;
    exports dev.outpost.optim;
    exports dev.outpost.sharding;
    exports dev.outpost.source;
    exports dev.outpost.stats;
    exports dev.outpost.testing;
    exports dev.outpost.vocabulary;
    exports dev.outpost.client.start to
            dev.outpost.cli;
    exports dev.outpost.internal.ops to
            dev.outpost.cli,
            dev.outpost.models;
    exports dev.outpost.transport to
            dev.outpost.cli;

    provides dev.outpost.provider.GpuProvider with
            dev.outpost.transport.EndpointProvider;
}
