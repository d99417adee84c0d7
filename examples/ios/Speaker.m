#import "Speaker.h"

#import <AVFoundation/AVFoundation.h>
#import <UIKit/UIKit.h>

@import LibSpeech;

// Converts an error of the library, and frees it.
static NSError *errorFrom(speech_error *_Nullable error) {
  NSString *message = [NSString stringWithUTF8String:speech_error_message(error)];
  NSError *copy = [NSError errorWithDomain:@"LibSpeech"
                                      code:speech_error_status(error)
                                  userInfo:@{NSLocalizedDescriptionKey : message ?: @""}];
  speech_error_free(error);
  return copy;
}

@implementation Speaker {
  speech_engine *_engine;
  // Cancels the current text. Each text has its own token, set under `@synchronized(self)`.
  speech_cancel_token *_token;
  AVAudioEngine *_output;
  AVAudioPlayerNode *_player;
  AVAudioFormat *_format;
  dispatch_queue_t _queue;
}

- (nullable instancetype)initWithVoices:(NSString *)path error:(NSError **)error {
  self = [super init];
  if (!self) {
    return nil;
  }
  speech_error *failure = NULL;
  speech_engine_options *options = speech_engine_options_new();
  const char *bundle = path.UTF8String ?: "";
  if (speech_engine_options_set_bundle_path(options, bundle, &failure) != SPEECH_OK ||
      speech_engine_load(options, &_engine, &failure) != SPEECH_OK) {
    speech_engine_options_free(options);
    NSError *found = errorFrom(failure);
    if (error) {
      *error = found;
    }
    return nil;
  }
  speech_engine_options_free(options);
  if (![self startOutput:error]) {
    return nil;
  }
  [NSNotificationCenter.defaultCenter addObserver:self
                                         selector:@selector(giveMemoryBack:)
                                             name:UIApplicationDidReceiveMemoryWarningNotification
                                           object:nil];
  return self;
}

// Connects a player to the loudspeaker. The system resamples from 22,050 Hz.
- (BOOL)startOutput:(NSError **)error {
  AVAudioSession *session = [AVAudioSession sharedInstance];
  _queue = dispatch_queue_create("speaker", NULL);
  _output = [[AVAudioEngine alloc] init];
  _player = [[AVAudioPlayerNode alloc] init];
  _format = [[AVAudioFormat alloc] initStandardFormatWithSampleRate:SPEECH_SAMPLE_RATE channels:1];
  [_output attachNode:_player];
  [_output connect:_player to:_output.mainMixerNode format:_format];
  return [session setCategory:AVAudioSessionCategoryPlayback error:error] &&
         [session setActive:YES error:error] && [_output startAndReturnError:error];
}

- (void)dealloc {
  [NSNotificationCenter.defaultCenter removeObserver:self];
  [_output stop];
  speech_cancel_token_free(_token);
  speech_engine_free(_engine);
}

// On a memory warning: frees up to 64 MB; the voices stay loaded.
- (void)giveMemoryBack:(NSNotification *)notification {
  speech_engine_trim(_engine, NULL);
}

- (void)speak:(NSString *)text done:(void (^)(NSError *_Nullable))done {
  dispatch_async(_queue, ^{
    speech_error *failure = NULL;
    BOOL spoken = [self play:text failure:&failure];
    done(spoken ? nil : errorFrom(failure));
  });
}

- (void)stop {
  @synchronized(self) {
    speech_cancel_token_cancel(_token, NULL);
    [_player stop];
  }
}

// Computes a text one sentence at a time, and schedules each sentence as soon as it is ready.
- (BOOL)play:(NSString *)text failure:(speech_error **)failure {
  speech_request *request = NULL;
  speech_stream *stream = NULL;
  speech_audio *chunk = NULL;
  const char *utf8 = text.UTF8String ?: "";
  [self begin];
  BOOL playing =
      speech_request_new(utf8, SPEECH_NUL_TERMINATED, &request, failure) == SPEECH_OK &&
      speech_engine_stream_long(_engine, request, _token, &stream, failure) == SPEECH_OK;
  while (playing) {
    speech_status status = speech_stream_next(stream, &chunk, failure);
    if (status != SPEECH_OK) {
      playing = status == SPEECH_END;
      break;
    }
    [self schedule:chunk];
    speech_audio_free(chunk);
  }
  speech_stream_free(stream);
  speech_request_free(request);
  return playing;
}

// A cancelled token stays cancelled, so each text gets a new one.
- (void)begin {
  @synchronized(self) {
    speech_cancel_token_free(_token);
    _token = speech_cancel_token_new();
    [_player play];
  }
}

- (void)schedule:(const speech_audio *)chunk {
  size_t count = 0;
  const float *samples = speech_audio_samples_f32(chunk, &count);
  AVAudioPCMBuffer *buffer =
      [[AVAudioPCMBuffer alloc] initWithPCMFormat:_format frameCapacity:(AVAudioFrameCount)count];
  buffer.frameLength = (AVAudioFrameCount)count;
  float *const *channels = buffer.floatChannelData;
  if (channels && samples) {
    memcpy(channels[0], samples, count * sizeof(float));
  }
  @synchronized(self) {
    if (!speech_cancel_token_is_cancelled(_token)) {
      [_player scheduleBuffer:buffer completionHandler:nil];
    }
  }
}

@end
