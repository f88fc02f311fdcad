package dev.outpost.runtime.sources.s3;

import java.net.URI;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;

/** A store in this JVM that speaks S3's protocol; this JVM's properties name it, as a machine's variables would. */
final class S3Server implements AutoCloseable {
    static final String ACCESS_KEY = "AKIAOUTPOSTTEST";
    static final String SECRET_KEY = "a-secret-that-no-error-tells";

    private final BlobStoreContext context;
    private final S3Proxy proxy;

    S3Server(Path folder) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", folder.toString());
        context = ContextBuilder.newBuilder("filesystem").overrides(properties).buildView(BlobStoreContext.class);
        proxy = S3Proxy.builder()
                .blobStore(context.getBlobStore())
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                .ignoreUnknownHeaders(true)
                .build();
        proxy.start();
        System.setProperty("aws.endpointUrlS3", "http://127.0.0.1:" + proxy.getPort());
        System.setProperty("aws.accessKeyId", ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", SECRET_KEY);
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
