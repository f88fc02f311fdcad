/** What the holder of a token may do on a runtime, as provisioners and runtimes tell each other. */
package dev.outpost.channel.grant;
