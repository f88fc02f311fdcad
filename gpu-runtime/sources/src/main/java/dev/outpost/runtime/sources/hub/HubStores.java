package dev.outpost.runtime.sources.hub;

import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreProvider;
import java.util.Set;

/** Provides {@link HubStore}. */
public final class HubStores implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of(HubRepository.SCHEME);
    }

    @Override
    public Store open(SourceSettings settings) {
        return new HubStore(
                new HubClient(HubEndpoint.ofEnvironment(settings.secrets()), settings),
                settings.cache().map(BlobCache::new));
    }
}
