//! The formats that ffmpeg encodes, in a process of its own. The proven encoders of MP3 are under
//! the LGPL, and this service links to no such code.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;

use axum::body::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use crate::job::Parts;

/// The bytes that are read from ffmpeg at once.
const READ: usize = 16 << 10;

/// A codec of ffmpeg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Mp3,
    Aac,
}

impl Codec {
    /// Its name among ffmpeg's encoders.
    fn encoder(self) -> &'static str {
        match self {
            Self::Mp3 => "libmp3lame",
            Self::Aac => "aac",
        }
    }

    /// The options of the container. No container has a header that must be rewritten at the end.
    fn muxer(self) -> &'static [&'static str] {
        match self {
            Self::Mp3 => &["-f", "mp3", "-write_xing", "0", "-id3v2_version", "0"],
            Self::Aac => &["-f", "adts"],
        }
    }
}

/// The program, and its codecs.
#[derive(Clone, Debug)]
pub(crate) struct Ffmpeg {
    program: PathBuf,
    encoders: Vec<String>,
}

impl Ffmpeg {
    /// The program, if it is installed.
    pub(crate) fn find(program: PathBuf) -> Option<Self> {
        let mut list = std::process::Command::new(&program);
        let list = list.args(["-hide_banner", "-loglevel", "error", "-encoders"]);
        let output = list.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        // A line has flags, a name and a description.
        let names = lines.lines().filter_map(|line| line.split_whitespace().nth(1));
        let encoders = names.map(str::to_owned).collect();
        output.status.success().then_some(Self { program, encoders })
    }

    pub(crate) fn encodes(&self, codec: Codec) -> bool {
        self.encoders.iter().any(|name| name == codec.encoder())
    }

    /// Starts to encode 16-bit samples. Dropping the result kills the process.
    pub(crate) fn start(&self, codec: Codec, sample_rate: u32) -> io::Result<Encoding> {
        let mut command = Command::new(&self.program);
        command.args(["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1"]);
        // ffmpeg must not probe the input before it encodes.
        command.args(["-probesize", "32", "-fflags", "nobuffer"]);
        command.args(["-f", "s16le", "-ar", &sample_rate.to_string(), "-ac", "1", "-i", "pipe:0"]);
        command.args(["-c:a", codec.encoder(), "-b:a", "96k"]).args(codec.muxer());
        command.args(["-flush_packets", "1", "pipe:1"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A signal of the terminal to the service must not reach ffmpeg while the service finishes.
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true).spawn().map(Encoding)
    }
}

/// A process that encodes.
pub(crate) struct Encoding(Child);

impl Encoding {
    /// Encodes the parts as they come. Dropping the stream ends the process and the synthesis.
    pub(crate) fn encode(self, parts: Parts) -> ReceiverStream<io::Result<Bytes>> {
        let (sender, encoded) = mpsc::channel(1);
        tokio::spawn(async move {
            let result = tokio::select! {
                result = self.run(parts, &sender) => result,
                () = sender.closed() => return,
            };
            if let Err(error) = result
                && !sender.is_closed()
            {
                tracing::error!(%error, "the encoder failed");
                // The client must see that the body is incomplete.
                let _ = sender.send(Err(error)).await;
            }
        });
        ReceiverStream::new(encoded)
    }

    async fn run(
        self,
        mut parts: Parts,
        sender: &mpsc::Sender<io::Result<Bytes>>,
    ) -> io::Result<()> {
        let Self(mut child) = self;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (mut input, mut output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        let feed = async move {
            while let Some(part) = parts.next().await {
                input.write_all(&part?).await?;
            }
            input.shutdown().await
        };
        let drain = async {
            loop {
                let mut bytes = Vec::with_capacity(READ);
                if output.read_buf(&mut bytes).await? == 0 {
                    return Ok(());
                }
                sender.send(Ok(bytes.into())).await.map_err(|_| io::ErrorKind::BrokenPipe)?;
            }
        };
        tokio::try_join!(feed, drain)?;
        let status = child.wait().await?;
        if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
    }
}
