// The declarations of Apple's AVFoundation that the iOS example uses: see Foundation.h beside it.

#pragma once

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

typedef uint32_t AVAudioFrameCount;
typedef uint32_t AVAudioChannelCount;

@interface AVAudioFormat : NSObject
- (nullable instancetype)initStandardFormatWithSampleRate:(double)rate channels:(AVAudioChannelCount)channels;
@end

@interface AVAudioPCMBuffer : NSObject
- (nullable instancetype)initWithPCMFormat:(AVAudioFormat *)format frameCapacity:(AVAudioFrameCount)capacity;
@property AVAudioFrameCount frameLength;
@property(readonly) float *_Nonnull const *_Nullable floatChannelData;
@end

@interface AVAudioNode : NSObject
@end

@interface AVAudioMixerNode : AVAudioNode
@end

@interface AVAudioPlayerNode : AVAudioNode
- (void)scheduleBuffer:(AVAudioPCMBuffer *)buffer completionHandler:(nullable void (^)(void))handler;
- (void)play;
- (void)stop;
@end

@interface AVAudioEngine : NSObject
@property(readonly, strong) AVAudioMixerNode *mainMixerNode;
- (void)attachNode:(AVAudioNode *)node;
- (void)connect:(AVAudioNode *)from to:(AVAudioNode *)to format:(nullable AVAudioFormat *)format;
- (BOOL)startAndReturnError:(NSError *_Nullable *_Nullable)error;
- (void)stop;
@end

typedef NSString *AVAudioSessionCategory;
extern AVAudioSessionCategory const AVAudioSessionCategoryPlayback;

@interface AVAudioSession : NSObject
+ (AVAudioSession *)sharedInstance;
- (BOOL)setCategory:(AVAudioSessionCategory)category error:(NSError *_Nullable *_Nullable)error;
- (BOOL)setActive:(BOOL)active error:(NSError *_Nullable *_Nullable)error;
@end

NS_ASSUME_NONNULL_END
