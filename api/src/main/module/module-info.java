/** Tensors on remote machines. */
module dev.outpost {
    requires transitive dev.outpost.protocol;
    requires transitive dev.outpost.provider;
    requires dev.outpost.channel;
    requires io.opentelemetry.context;
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.outpost;
    exports dev.outpost.autograd;
    exports dev.outpost.data;
    exports dev.outpost.io;
    exports dev.outpost.linalg;
    exports dev.outpost.nn;
    exports dev.outpost.ops;
    exports dev.outpost.optim;
    exports dev.outpost.stats;
    exports dev.outpost.client to
            dev.outpost.cli;
    exports dev.outpost.internal.ops to
            dev.outpost.models;
    exports dev.outpost.transport to
            dev.outpost.cli;

    provides dev.outpost.provider.GpuProvider with
            dev.outpost.transport.EndpointProvider;
}
