/** The interfaces that suppliers of machines implement. */
module dev.outpost.provider {
    requires transitive dev.outpost.channel;
    requires transitive io.smallrye.mutiny;
    requires io.opentelemetry.context;
    requires java.logging;
    requires static org.jspecify;

    exports dev.outpost.provider;
    exports dev.outpost.provider.fleet;
    exports dev.outpost.provider.support;

    uses dev.outpost.provider.GpuProvider;
}
