package dev.outpost.examples.models;

import java.net.URI;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;

/**
 * A store in this JVM with S3's protocol, which keeps its objects in a folder. This JVM's properties configure it; the
 * variables of another machine would configure Amazon's or another store in the same way.
 */
public final class LocalStore implements AutoCloseable {
    private final BlobStoreContext context;
    private final S3Proxy proxy;

    private LocalStore(BlobStoreContext context, S3Proxy proxy) {
        this.context = context;
        this.proxy = proxy;
    }

    /** Starts a store with a bucket. Every user of this host can read and write it. */
    public static LocalStore start(Path folder, String bucket) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", folder.toString());
        BlobStoreContext context =
                ContextBuilder.newBuilder("filesystem").overrides(properties).buildView(BlobStoreContext.class);
        context.getBlobStore().createContainerInLocation(null, bucket);
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(context.getBlobStore())
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.NONE, "", "")
                .ignoreUnknownHeaders(true)
                .build();
        proxy.start();
        System.setProperty("aws.endpointUrlS3", "http://127.0.0.1:" + proxy.getPort());
        System.setProperty("aws.accessKeyId", "anybody");
        System.setProperty("aws.secretAccessKey", "nothing");
        return new LocalStore(context, proxy);
    }

    /** Returns its address, such as {@code http://127.0.0.1:4711}. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + proxy.getPort());
    }

    @Override
    public void close() throws Exception {
        System.clearProperty("aws.endpointUrlS3");
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        proxy.stop();
        context.close();
    }
}
