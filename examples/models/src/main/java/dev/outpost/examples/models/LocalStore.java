package dev.outpost.examples.models;

import java.net.URI;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;

/**
 * A store in this JVM that speaks S3's protocol and keeps its objects in a folder. This JVM's properties name it, as the variables of a
 * machine elsewhere would name Amazon's, or another one.
 */
public final class LocalStore implements AutoCloseable {
    private final BlobStoreContext context;
    private final S3Proxy proxy;

    private LocalStore(BlobStoreContext context, S3Proxy proxy) {
        this.context = context;
        this.proxy = proxy;
    }

    /** Starts one with a bucket. Anybody on this host may read and write it. */
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

    /** Where it is, such as {@code http://127.0.0.1:4711}. */
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
